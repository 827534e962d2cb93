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
  let onRefusal: @Sendable (RefusedRequest) -> Void

  /// - Returns: nil if the connection is to be reset instead of an answer.
  func respond(to request: Request) async -> Response? {
    let answer = await answer(request)
    guard !answer.isCut else { return nil }
    var response = answer.hummingbird
    response.headers[.date] = HTTPDate.now
    if request.headers[.connection] == "close" { response.headers[.connection] = "close" }
    for (name, value) in policy.headers(for: request.head) {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func answer(_ request: Request) async -> ServiceResponse {
    if let answer = policy.answer(to: request.head) { return answer }
    let whole: ServiceRequest
    do {
      guard let read = try await read(request) else {
        let mebibytes = policy.maximumBodyBytes >> 20
        let error = StatusError(.invalidArgument, "the body is larger than \(mebibytes) MiB")
        return refuse(request, error, status: 413)
      }
      whole = read
    } catch let error as StatusError {
      return refuse(request, error, status: error.code.httpStatus)
    } catch {
      // Its connection has its answer, or ends with the server.
      return .error(StatusError(.unavailable, "the connection is over"))
    }
    do throws(StatusError) {
      if service.isBrief(whole) { return try await service.respond(to: whole) }
      return try await withTaskExecutorPreference(globalConcurrentExecutor) {
        () async throws(StatusError) in try await service.respond(to: whole)
      }
    } catch {
      return .error(error)
    }
  }

  private func refuse(_ request: Request, _ error: StatusError, status: Int) -> ServiceResponse {
    onRefusal(RefusedRequest(status: status, error: error, headers: request.fields.values))
    return .error(error, status: status)
  }

  /// nil if its body is larger than one may be.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it is malformed; else as `body` does.
  private func read(_ request: Request) async throws -> ServiceRequest? {
    // One that says that it is too large needn't be waited for.
    guard request.headers.statedLength <= policy.maximumBodyBytes,
      let body = try await body(of: request)
    else {
      return nil
    }
    let fields = request.fields
    var whole = try ServiceRequest(
      // HEAD is GET without a body.
      method: request.method == .head ? "GET" : request.method.rawValue,
      target: request.uri.string,
      headers: fields.values,
      body: body
    )
    whole.repeatedHeaders = fields.repeated
    whole.authority = request.head.authority
    return whole
  }

  /// nil if it is larger than a body may be.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it never came to its end, `RefusedRequest` if it was refused
  ///   meanwhile, `CancellationError` if the server ends.
  private func body(of request: Request) async throws -> Data? {
    do {
      let buffer = try await request.body.collect(upTo: policy.maximumBodyBytes)
      return Data(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      return nil
    } catch let refusal as RefusedRequest {
      throw refusal
    } catch {
      try Task.checkCancellation()
      throw StatusError(.invalidArgument, "the body is cut off or malformed")
    }
  }
}

extension Request {
  /// Names in lower case. Of several fields of one name, the first, and the name among the repeated;
  /// of Accept one list of all (RFC 9110, section 5.3).
  fileprivate var fields: (values: [String: String], repeated: Set<String>) {
    var values = [String: String](minimumCapacity: headers.count)
    var repeated: Set<String> = []
    for field in headers {
      let name = field.name.canonicalName
      guard let first = values[name] else {
        values[name] = field.value
        continue
      }
      repeated.insert(name)
      if field.name == .accept { values[name] = "\(first), \(field.value)" }
    }
    return (values, repeated)
  }
}
