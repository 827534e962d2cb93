import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import HTTPService
import Services

extension UIService {
  private static let defaultLimit = 100
  private static let maximumLimit = 1_000

  /// Returns a page of deliveries and calls, the newest first.
  func invocations(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    var limit = Self.defaultLimit
    if let text = request[query: "limit"] {
      guard let number = Int(text), (0...Self.maximumLimit).contains(number) else {
        throw StatusError(
          .invalidArgument,
          "limit must be a whole number from 0 to \(Self.maximumLimit)"
        )
      }
      limit = number
    }
    let filter = try InvocationFilter(request)
    // A limit of 0 is for clients that only need the number of dead letters.
    var all: [ListedInvocation] =
      limit == 0
      ? []
      : dispatcher.deliveries.map(ListedInvocation.delivery)
        + dispatcher.calls.all.map(ListedInvocation.call)
    all.sort { ($1.recorded, $1.id) < ($0.recorded, $0.id) }
    if let id = request[query: "before"] {
      guard let index = all.firstIndex(where: { $0.id == id }) else {
        throw StatusError(
          .notFound,
          "the invocation \(quoted(id)) in 'before' has been dropped: start from the newest"
        )
      }
      all.removeFirst(index + 1)
    }
    // Take one more than the limit, to know whether there are more.
    let found = Array(all.lazy.filter(filter.takes).prefix(limit + 1))
    return .json(
      Page(
        invocations: found.prefix(limit).map(ListedInvocation.Report.init),
        hasMore: found.count > limit,
        deadLetters: dispatcher.deadLetterCount,
        functions: dispatcher.catalog.functions.keys.sorted()
      )
    )
  }

  private struct Page: Encodable {
    var invocations: [ListedInvocation.Report]
    var hasMore: Bool
    /// The number of deliveries that were given up since the start and not retried.
    var deadLetters: Int
    var functions: [String]
  }
}

/// A delivery or a call.
private enum ListedInvocation {
  case delivery(Delivery)
  case call(FunctionCall)

  var id: String {
    switch self {
    case .delivery(let delivery): delivery.id
    case .call(let call): call.id
    }
  }

  var recorded: Timestamp {
    switch self {
    case .delivery(let delivery): delivery.recorded
    case .call(let call): call.started
    }
  }

  /// The JSON form, which is the same as in the activity stream.
  enum Report: Encodable {
    case delivery(DeliveryReport)
    case call(CallReport)

    init(_ invocation: ListedInvocation) {
      switch invocation {
      case .delivery(let delivery):
        self = .delivery(DeliveryReport(delivery, includingOutput: false))
      case .call(let call): self = .call(CallReport(call, includingOutput: false))
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .delivery(let report): try report.encode(to: encoder)
      case .call(let report): try report.encode(to: encoder)
      }
    }
  }
}

/// A filter of deliveries and calls.
private struct InvocationFilter {
  private var state: String?
  private var function: String?
  /// Part of the document's path.
  private var document: String?
  /// The text to find, in lower case.
  private var text: String?

  /// Creates a filter from a request's query.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an unknown state.
  init(_ request: ServiceRequest) throws(StatusError) {
    func value(_ name: String) -> String? {
      request[query: name].flatMap { $0.isEmpty ? nil : $0 }
    }
    state = value("state")
    function = value("function")
    document = value("document")
    text = value("text")?.lowercased()
    let states = Delivery.State.allCases.map(\.rawValue) + [CallReport.State.failed.rawValue]
    if let state, !states.contains(state) {
      throw StatusError(
        .invalidArgument,
        "there is no state \(quoted(state)): use one of \(states.joined(separator: ", "))"
      )
    }
  }

  /// Returns a Boolean value that indicates whether a delivery or call matches.
  func takes(_ invocation: ListedInvocation) -> Bool {
    switch invocation {
    case .delivery(let delivery):
      return takes(delivery.function, delivery.state.rawValue)
        && (document.map { delivery.event.path.hasBytes(of: $0) } ?? true)
        && (text.map { delivery.mentions($0) } ?? true)
    case .call(let call):
      guard document == nil, function == nil || function == call.function else { return false }
      return takes(call.function, CallReport(call, includingOutput: false).state.rawValue)
        && (text.map { call.mentions($0) } ?? true)
    }
  }

  private func takes(_ function: String, _ state: String) -> Bool {
    (self.function == nil || self.function == function)
      && (self.state == nil || self.state == state)
  }
}

extension Delivery {
  /// Returns a Boolean value that indicates whether the delivery's ids, names, result or documents
  /// contain a text.
  ///
  /// - Parameter text: The text in lower case.
  fileprivate func mentions(_ text: String) -> Bool {
    let words = [
      id, function, event.id, event.path, result?.reason,
      result?.error?.message, result?.error?.code.rawValue,
    ]
    return words.contains { $0?.lowercased().hasBytes(of: text) == true } || event.mentions(text)
  }
}

extension ChangeEvent {
  fileprivate func mentions(_ text: String) -> Bool {
    switch self {
    case .document(let event):
      return [event.value, event.oldValue].contains { document in
        document?.fields.values.contains { $0.mentions(text) } == true
      }
    case .reference(let event): return [event.data, event.delta].contains { $0.mentions(text) }
    case .object(let event): return JSONValue.object(event.data).mentions(text)
    }
  }
}

extension JSONValue {
  fileprivate func mentions(_ text: String) -> Bool {
    guard let data = try? JSON.encode(self) else { return false }
    return String(decoding: data, as: UTF8.self).lowercased().hasBytes(of: text)
  }
}

extension FunctionCall {
  fileprivate func mentions(_ text: String) -> Bool {
    let words = [
      id, function, String(decoding: event, as: UTF8.self), result?.error?.message,
      result?.error?.code.rawValue,
    ]
    return words.contains { $0?.lowercased().hasBytes(of: text) == true }
  }
}

extension Value {
  fileprivate func mentions(_ text: String) -> Bool {
    switch self {
    case .string(let string), .reference(let string): string.lowercased().hasBytes(of: text)
    case .array(let values): values.contains { $0.mentions(text) }
    case .map(let fields): fields.values.contains { $0.mentions(text) }
    default: false
    }
  }
}
