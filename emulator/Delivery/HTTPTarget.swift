package import CloudEvents
package import Core
package import FunctionHost
package import FunctionRuntime
package import HTTPClient

/// A function that gets its events over HTTP: each event is a POST request to a URL, and a 2xx
/// response is a success.
///
/// With any other response, or none, the event is delivered again, as Pub/Sub does for Eventarc.
/// Like Pub/Sub, this type ignores Retry-After.
package actor HTTPTarget: FunctionTarget {
  /// The maximum size of a response, in bytes. The limit for the output of a function's process is
  /// 16 MiB.
  private static let maximumResponseBytes = 10 << 20

  private let function: FunctionManifest
  private let url: String
  /// The URL without its query, for error messages. The query may contain a key.
  private let address: String
  private let form: EventMessage.Form
  private let transport: HTTPClient
  private var requests: [Int: Task<Result<HTTPResponse, StatusError>, Never>] = [:]
  private var requestCount = 0
  private let permits: AsyncSemaphore
  private var isClosed = false

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - function: The manifest, with the concurrency and the timeout.
  ///   - url: An absolute URL; plain http is allowed only on this machine.
  /// - Throws: `INVALID_ARGUMENT` for an unusable URL.
  package init(
    _ function: FunctionManifest,
    url: String,
    form: EventMessage.Form,
    transport: HTTPClient
  ) throws(StatusError) {
    do throws(StatusError) {
      try HTTPRequest(method: "POST", url: url).check()
    } catch {
      throw StatusError(.invalidArgument, error.message)
    }
    self.function = function
    self.url = url
    address = String(url.prefix { $0 != "?" })
    self.form = form
    self.transport = transport
    permits = AsyncSemaphore(limit: max(1, function.concurrency))
  }

  package func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult {
    guard await permits.wait() == .acquired else { return isClosed ? .shuttingDown : .cancelled }
    defer { permits.signal() }
    let timeout = Duration.seconds(function.timeoutSeconds)
    guard let request = request(timeout) else { return .cancelled }
    guard let event = request.change else {
      let error = StatusError(
        .unimplemented,
        "\(function.name) can't be called through the emulator, because it runs at \(address): "
          + "call it there"
      )
      return InvocationResult(error, exitCode: ExitCode.bug.rawValue, isRetryable: false)
    }
    let message: EventMessage
    do throws(StatusError) {
      message = try EventMessage(event, as: form)
    } catch {
      return InvocationResult(error, exitCode: ExitCode.bug.rawValue, isRetryable: false)
    }
    switch await send(message, request.invocation, deadline: .now + timeout) {
    case .success(let response): return result(of: response)
    case .failure where isClosed: return .shuttingDown
    case .failure(let error):
      return InvocationResult(error, exitCode: ExitCode.tryAgain.rawValue)
    }
  }

  private func send(
    _ message: EventMessage,
    _ invocation: Invocation,
    deadline: ContinuousClock.Instant
  ) async -> Result<HTTPResponse, StatusError> {
    var headers = message.headers.map { HTTPHeader($0.name, $0.value) }
    if let traceparent = invocation.traceparent {
      headers.append(HTTPHeader("traceparent", traceparent))
    }
    let request = HTTPRequest(
      method: "POST",
      url: url,
      headers: headers,
      body: message.body,
      maximumResponseBytes: Self.maximumResponseBytes
    )
    requestCount += 1
    let number = requestCount
    let task = Task { [transport] in
      do throws(StatusError) {
        return Result<HTTPResponse, StatusError>.success(
          try await transport.send(request, deadline: deadline)
        )
      } catch {
        return .failure(error)
      }
    }
    requests[number] = task
    defer { requests[number] = nil }
    return await task.value
  }

  private func result(of response: HTTPResponse) -> InvocationResult {
    // This project's functions respond with their result line; others may respond with anything.
    var result = Self.line(in: response.body)
    guard !(200..<300).contains(response.status) else { return result ?? .acknowledged }
    let error = StatusError(
      StatusCode(httpStatus: response.status),
      "\(function.name): the response of \(address) has status \(response.status)"
    )
    result?.isRetryable = true
    if let result, result.error != nil { return result }
    return InvocationResult(error, exitCode: ExitCode.tryAgain.rawValue)
  }

  private struct Contract: Decodable {
    var contract: Int
  }

  private static func line(in body: Data) -> InvocationResult? {
    let contract = try? JSON.decode(Contract.self, from: body, what: "the answer").contract
    guard contract == FunctionManifest.contract else { return nil }
    return try? InvocationResult(line: body)
  }

  /// Refuses further invocations and cancels the running ones.
  package func close() async {
    isClosed = true
    permits.close()
    for request in requests.values { request.cancel() }
    for request in requests.values { _ = await request.value }
  }
}
