package import Core
package import Delivery
package import FirestoreModel
package import HTTPService
import ProviderFakes
import Synchronization

/// The middleware that logs functions' requests to providers, including injected faults.
///
/// A streamed response is passed on without a delay. Its beginning and end are logged.
package struct ProviderCallMiddleware: HTTPMiddleware {
  package let service: any HTTPService
  private let dispatcher: Dispatcher
  private let now: @Sendable () -> Timestamp

  package init(
    _ service: any HTTPService,
    dispatcher: Dispatcher,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.service = service
    self.dispatcher = dispatcher
    self.now = now
  }

  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    guard request.path.first == "providers",
      let provider = ProviderName(path: Array(request.path.dropFirst())),
      let traceparent = request.headers["traceparent"],
      let invoker = dispatcher.invoker(of: traceparent)
    else { return try await service.respond(to: request) }
    let started = now()
    let keep = { @Sendable [dispatcher, now] (status: Int?, body: ProviderCall.Body) in
      // OAuth's requests contain assertions, and its responses contain tokens.
      let hasSecrets = provider == .oauth
      dispatcher.providerCalls.add(
        ProviderCall(
          invocation: invoker.invocation,
          traceparent: traceparent,
          provider: provider.rawValue,
          method: request.method,
          path: "/" + request.path.dropFirst().joined(separator: "/"),
          started: started,
          duration: now().duration(since: started),
          status: status,
          request: hasSecrets ? .init() : .init(request.body),
          response: hasSecrets ? .init() : body
        )
      )
    }
    var response: ServiceResponse
    do throws(StatusError) {
      response = try await service.respond(to: request)
    } catch {
      response = .error(error)
    }
    let status = response.status
    guard let stream = response.stream else {
      keep(response.isCut ? nil : status, .init(response.body))
      return response
    }
    response.stream = { writer in
      var copying: any ServiceResponseWriter = CopyingWriter(writer: writer)
      var isWhole = false
      defer {
        if let copying = copying as? CopyingWriter {
          writer = copying.writer
          keep(isWhole ? status : nil, copying.body)
        }
      }
      try await stream(&copying)
      isWhole = true
    }
    return response
  }
}

/// A writer that keeps a copy of the beginning and the end of its bytes.
private struct CopyingWriter: ServiceResponseWriter {
  var writer: any ServiceResponseWriter
  var body = ProviderCall.Body()

  mutating func write(_ bytes: Data) async throws {
    body.append(bytes)
    try await writer.write(bytes)
  }

  mutating func flush() async throws { try await writer.flush() }
}
