import HTTPService
import HTTPTypes
import HummingbirdCore
import NIOCore
import Platform
import RPCStatus

/// Reads requests to their end and has a service answer them, as far as a policy lets them in.
struct HTTPResponder: Sendable {
  let service: any HTTPService
  let policy: any RequestPolicy

  /// - Returns: nil if the connection is to be reset instead of an answer.
  func respond(to request: Request) async -> Response? {
    let answer = await answer(request)
    guard !answer.isCut else { return nil }
    var response = answer.hummingbird
    response.headers[.date] = HTTPDate.now
    for (name, value) in policy.headers(for: request.head) {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    if request.method == .head { response.body = ResponseBody() }
    return response
  }

  private func answer(_ request: Request) async -> ServiceResponse {
    if let answer = policy.answer(to: request.head) { return answer }
    do throws(StatusError) {
      let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
      // One that says that it is too large needn't be waited for.
      guard length <= policy.maximumBodyBytes, let body = try await body(of: request) else {
        return .error(
          StatusError(
            .invalidArgument,
            "the body is larger than \(policy.maximumBodyBytes >> 20) MiB"
          ),
          status: 413
        )
      }
      let headers = Dictionary(
        request.headers.map { ($0.name.canonicalName, $0.value) }
      ) { first, _ in first }
      let authority = request.head.authority
      var request = try ServiceRequest(
        // HEAD is GET without a body.
        method: request.method == .head ? "GET" : request.method.rawValue,
        target: request.uri.string,
        headers: headers,
        body: body
      )
      request.authority = authority
      if service.isBrief(request) { return try await service.respond(to: request) }
      return try await withTaskExecutorPreference(globalConcurrentExecutor) {
        [request] () async throws(StatusError) in try await service.respond(to: request)
      }
    } catch {
      return .error(error)
    }
  }

  /// nil if it is larger than a body may be.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it never came to its end.
  private func body(of request: Request) async throws(StatusError) -> Data? {
    do {
      let buffer = try await request.body.collect(upTo: policy.maximumBodyBytes)
      return Data(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      return nil
    } catch {
      throw StatusError(.invalidArgument, "the body is cut off or malformed")
    }
  }
}
