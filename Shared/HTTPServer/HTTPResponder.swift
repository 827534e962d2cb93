import Core
import HTTPService

/// An adapter that turns a connection's requests into calls of a service.
struct HTTPResponder: Sendable {
  let service: any HTTPService
  let onRefusal: @Sendable (RefusedRequest) -> Void

  func respond(to request: IncomingRequest) async -> ServiceResponse {
    let headers = request.head?.headers ?? [:]
    switch request.content {
    case .answer(let answer): return answer
    case .refusal(let error, let status):
      return refuse(RefusedRequest(status: status, error: error, headers: headers))
    case .body(let body): return await answer(request.head, body: body)
    case .stream(let stream): return await answer(request.head, stream: stream)
    }
  }

  private func answer(
    _ head: RequestHead?,
    body: Data = Data(),
    stream: RequestBody? = nil
  ) async -> ServiceResponse {
    guard let head else { return ServiceResponse() }
    var request: ServiceRequest
    do throws(StatusError) {
      request = try ServiceRequest(head, body: body)
    } catch {
      return refuse(
        RefusedRequest(status: error.code.httpStatus, error: error, headers: head.headers)
      )
    }
    request.stream = stream
    return await answer(request)
  }

  private func refuse(_ refusal: RefusedRequest) -> ServiceResponse {
    onRefusal(refusal)
    return .error(refusal.error, status: refusal.status)
  }

  private func answer(_ request: ServiceRequest) async -> ServiceResponse {
    do throws(StatusError) {
      if service.runsOnEventLoop(request) { return try await service.respond(to: request) }
      return try await withTaskExecutorPreference(globalConcurrentExecutor) {
        () async throws(StatusError) in try await service.respond(to: request)
      }
    } catch {
      return .error(error)
    }
  }
}
