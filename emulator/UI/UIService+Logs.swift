import Core
import Delivery
import FunctionRuntime
import HTTPService

extension UIService {
  /// Returns the log entries that match a request's query.
  func logs(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    var entries = dispatcher.logs.entries(eventID: request[query: "eventId"])
    if let text = request[query: "after"] {
      guard let number = Int(text) else {
        throw StatusError(.invalidArgument, "after must be the number of an entry")
      }
      entries = entries.filter { $0.number > number }
    }
    if let path = request[query: "document"] {
      let events = Set(
        dispatcher.deliveries.filter { $0.event.path.hasSameBytes(as: path) }.map(\.event.id)
      )
      entries = entries.filter { entry in entry.eventId.map(events.contains) ?? false }
    }
    if let function = request[query: "function"] {
      entries = entries.filter { $0.function == function }
    }
    if let name = request[query: "severity"] {
      guard let least = LogSeverity.rank(of: name) else {
        throw StatusError(
          .invalidArgument,
          "there is no severity \(quoted(name)): use one of \(LogSeverity.list)"
        )
      }
      entries = entries.filter { LogSeverity.rank(of: $0.severity) ?? 0 >= least }
    }
    if let text = request[query: "text"]?.lowercased() {
      entries = entries.filter { entry in
        ([entry.message] + (entry.details ?? [:]).values).contains {
          $0.lowercased().hasBytes(of: text)
        }
      }
    }
    if let limit = try request.limit { entries = entries.suffix(limit) }
    return .json(entries)
  }
}

/// The severities of Cloud Logging. A filter by a severity includes the more severe ones.
private enum LogSeverity {
  private static let names = [
    "DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY",
  ]

  static var list: String { names.joined(separator: ", ") }

  /// Returns the rank of a severity, from 0 for the lowest, or `nil` for an unknown name.
  static func rank(of name: String) -> Int? { names.firstIndex(of: name) }
}
