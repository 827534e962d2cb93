package import HTTPService
package import RPCStatus
package import Triggers

/// A service in front of which chaos kills functions: before their request is carried out, or when
/// it is and they don't know it yet.
package struct DoomedService: HTTPMiddleware {
  package let service: any HTTPService
  private let dispatcher: Dispatcher

  package init(_ service: any HTTPService, dispatcher: Dispatcher) {
    self.service = service
    self.dispatcher = dispatcher
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let doom = dispatcher.doom(atRequestOf: request.headers["traceparent"]) else {
      return try await service.respond(to: request)
    }
    switch doom.moment {
    case .beforeRequest:
      doom.strike()
      throw StatusError(.unavailable, "chaos killed who asked")
    case .afterRequest:
      let response = try await service.respond(to: request)
      doom.strike()
      return response
    }
  }
}
