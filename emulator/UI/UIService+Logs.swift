import Core
import Delivery
import HTTPService

extension UIService {
  /// Of what functions said, that which a request asks for.
  func logs(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    var entries = dispatcher.logs.entries(eventID: request[query: "eventId"])
    if let function = request[query: "function"] {
      entries = entries.filter { $0.function == function }
    }
    if let name = request[query: "severity"] {
      guard let least = LogSeverity.rank(of: name) else {
        throw StatusError(
          .invalidArgument,
          "there is no severity \(quoted(name)); there are \(LogSeverity.list)"
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
    if let text = request[query: "limit"] {
      guard let limit = Int(text), limit >= 0 else {
        throw StatusError(.invalidArgument, "limit is not a number")
      }
      entries = entries.suffix(limit)
    }
    return .json(entries)
  }
}

/// The severities of Cloud Logging, of which each has those that are worse.
private enum LogSeverity {
  private static let names = [
    "DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY",
  ]

  static var list: String { names.joined(separator: ", ") }

  /// - Returns: nil for a name that is none of them.
  static func rank(of name: String) -> Int? { names.firstIndex(of: name) }
}
