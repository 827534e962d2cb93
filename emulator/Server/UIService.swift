import FunctionRuntime
package import HTTPService
import JSONCoding
package import RPCStatus
package import Triggers

/// What the emulator has done, over HTTP: events, results and logs.
///
/// - `GET /api/events` deliveries, the newest last; `?state=deadLettered`, `?limit=100`
/// - `GET /api/events/{id}` the deliveries of one event, with what their functions logged
/// - `GET /api/functions` the manifests
/// - `GET /api/logs` what functions logged; `?eventId=…`
/// - `GET /api/quiet` answers when every delivery has ended
package struct UIService: HTTPService {
  package let name = "ui"
  private let dispatcher: Dispatcher

  package init(dispatcher: Dispatcher) { self.dispatcher = dispatcher }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    switch (request.method, request.path) {
    case ("GET", []):
      return .text(
        """
        WorldChat emulator. The pages come later; this port already serves
          /api/events  /api/events/{id}  /api/functions  /api/logs  /api/quiet

        """
      )
    case ("GET", ["api", "events"]): return try events(request)
    case ("GET", let path) where path.count == 3 && path.prefix(2) == ["api", "events"]:
      return try event(path[2])
    case ("GET", ["api", "functions"]):
      return .json(
        dispatcher.catalog.functions.values.map(\.manifest).sorted { $0.name < $1.name }
      )
    case ("GET", ["api", "logs"]):
      return .json(dispatcher.logs.entries(eventID: request[query: "eventId"]))
    case ("GET", ["api", "quiet"]):
      await dispatcher.quiet()
      return .json(["quiet": true])
    default: throw notFound(request)
    }
  }

  private func events(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    var deliveries = dispatcher.deliveries
    if let name = request[query: "state"] {
      guard let state = Delivery.State(rawValue: name) else {
        throw StatusError(.invalidArgument, "there is no state \(quoted(name))")
      }
      deliveries = deliveries.filter { $0.state == state }
    }
    if let text = request[query: "limit"] {
      guard let limit = Int(text), limit >= 0 else {
        throw StatusError(.invalidArgument, "limit is not a number")
      }
      deliveries = deliveries.suffix(limit)
    }
    return .json(deliveries.map(DeliveryReport.init))
  }

  private struct Event: Encodable {
    var event: DocumentEvent
    var deliveries: [DeliveryReport]
    var logs: [LogStore.Entry]
  }

  /// - Parameter id: an event's, or one of its deliveries'.
  private func event(_ id: String) throws(StatusError) -> ServiceResponse {
    let eventID = dispatcher.delivery(id)?.event.id ?? id
    let deliveries = dispatcher.deliveries.filter { $0.event.id == eventID }
    guard let event = deliveries.first?.event else {
      throw StatusError(.notFound, "there is no event \(quoted(id))")
    }
    return .json(
      Event(
        event: event,
        deliveries: deliveries.map(DeliveryReport.init),
        logs: dispatcher.logs.entries(eventID: eventID)
      )
    )
  }
}
