import Core
import Delivery
import FirestoreModel
import FunctionRuntime
import HTTPService
import Services

extension UIService {
  func events(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    var deliveries = dispatcher.deliveries
    if let name = request[query: "state"] {
      guard let state = Delivery.State(rawValue: name) else {
        let names = Delivery.State.allCases.map(\.rawValue).joined(separator: ", ")
        throw StatusError(.invalidArgument, "there is no state \(quoted(name)); there are \(names)")
      }
      deliveries = deliveries.filter { $0.state == state }
    }
    if let function = request[query: "function"] {
      deliveries = deliveries.filter { $0.function == function }
    }
    if let text = request[query: "limit"] {
      guard let limit = Int(text), limit >= 0 else {
        throw StatusError(.invalidArgument, "limit is not a number")
      }
      deliveries = deliveries.suffix(limit)
    }
    return .json(deliveries.map { DeliveryReport($0) })
  }

  private struct Event: Encodable {
    var event: DocumentEvent
    var deliveries: [DeliveryReport]
    var logs: [LogStore.Entry]
  }

  /// - Parameter id: an event's, or one of its deliveries'.
  func event(_ id: String) throws(StatusError) -> ServiceResponse {
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

  /// - Parameter id: a delivery's; or an event's, for those of its deliveries that were given up.
  func retry(_ id: String) throws(StatusError) -> ServiceResponse {
    if dispatcher.delivery(id) != nil {
      return .json([DeliveryReport(try dispatcher.retry(id))])
    }
    let dead = try deliveries(ofEvent: id).filter { $0.state == .deadLettered }
    guard !dead.isEmpty else {
      throw StatusError(
        .failedPrecondition,
        "nothing of event \(quoted(id)) was given up: only dead letters are retried"
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
