import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import HTTPService
import Services

extension UIService {
  /// Returns the deliveries that match a request's query.
  func events(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    var deliveries = dispatcher.deliveries
    if let name = request[query: "state"] {
      guard let state = Delivery.State(rawValue: name) else {
        let names = Delivery.State.allCases.map(\.rawValue).joined(separator: ", ")
        throw StatusError(
          .invalidArgument,
          "there is no state \(quoted(name)): use one of \(names)"
        )
      }
      deliveries = deliveries.filter { $0.state == state }
    }
    if let function = request[query: "function"] {
      deliveries = deliveries.filter { $0.function == function }
    }
    if let limit = try request.limit { deliveries = deliveries.suffix(limit) }
    return .json(deliveries.map { DeliveryReport($0) })
  }

  private struct Event: Encodable {
    var event: ChangeEvent
    var deliveries: [DeliveryReport]
    var logs: [LogStore.Entry]
  }

  private struct Call: Encodable {
    var call: CallReport
    /// The callable request with its caller, or `nil` if it was too long to keep.
    var request: JSONValue?
    var logs: [LogStore.Entry]
  }

  /// Returns an event with its deliveries and their logs, or a call with its logs.
  ///
  /// - Parameter id: The id of the event, of one of its deliveries, or of a call.
  func event(_ id: String) throws(StatusError) -> ServiceResponse {
    if let call = dispatcher.calls[id] {
      return .json(
        Call(
          call: CallReport(call),
          request: try? JSONValue(parsing: call.event),
          logs: dispatcher.logs.entries(invocationID: id)
        )
      )
    }
    let deliveries = try deliveries(ofEvent: dispatcher.delivery(id)?.event.id ?? id)
    guard let event = deliveries.first?.event else { throw Self.unknown(id) }
    return .json(
      Event(
        event: event,
        deliveries: deliveries.map { DeliveryReport($0) },
        logs: dispatcher.logs.entries(eventID: event.id)
      )
    )
  }

  /// Retries a delivery, or all dead letters of an event.
  ///
  /// - Parameter id: The id of a delivery or of an event.
  func retry(_ id: String) throws(StatusError) -> ServiceResponse {
    if dispatcher.delivery(id) != nil {
      return .json([DeliveryReport(try dispatcher.retry(id))])
    }
    let dead = try deliveries(ofEvent: id).filter { $0.state == .deadLettered }
    guard !dead.isEmpty else {
      throw StatusError(
        .failedPrecondition,
        "event \(quoted(id)) has no dead letters: only dead letters are retried"
      )
    }
    var retried: [DeliveryReport] = []
    for delivery in dead { retried.append(DeliveryReport(try dispatcher.retry(delivery.id))) }
    return .json(retried)
  }

  private func deliveries(ofEvent id: String) throws(StatusError) -> [Delivery] {
    let deliveries = dispatcher.deliveries.filter { $0.event.id == id }
    guard !deliveries.isEmpty else { throw Self.unknown(id) }
    return deliveries
  }

  private static func unknown(_ id: String) -> StatusError {
    StatusError(.notFound, "there is no event or delivery \(quoted(id))")
  }
}

extension ServiceRequest {
  /// The value of `limit` in the query, or `nil` if there is none.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it isn't a whole number of at least 0.
  var limit: Int? {
    get throws(StatusError) {
      guard let text = self[query: "limit"] else { return nil }
      guard let limit = Int(text), limit >= 0 else {
        throw StatusError(.invalidArgument, "limit must be a whole number of at least 0")
      }
      return limit
    }
  }
}
