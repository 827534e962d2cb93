package import Core
package import Delivery
package import HTTPService

/// The middleware that injects scheduled crashes.
///
/// A crash kills a function's process at one of the process's requests, before the request is
/// carried out or before the response is sent.
package struct CrashInjection: HTTPMiddleware {
  package let service: any HTTPService
  private let dispatcher: Dispatcher

  package init(_ service: any HTTPService, dispatcher: Dispatcher) {
    self.service = service
    self.dispatcher = dispatcher
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard let crash = dispatcher.crash(atRequestOf: request.headers["traceparent"]) else {
      return try await service.respond(to: request)
    }
    switch crash.moment {
    case .beforeRequest:
      crash.strike()
      throw StatusError(
        .unavailable,
        "fault injection (chaos) killed the function that sent the request"
      )
    case .afterRequest:
      let response = try await service.respond(to: request)
      crash.strike()
      return response
    }
  }
}
