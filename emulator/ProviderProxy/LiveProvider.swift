package import Core
import GoogleAuth
package import HTTPClient
package import HTTPService
import ProviderFakes
import Providers

/// A proxy to a real provider. It forwards a function's request with the emulator's own key, and
/// streams the response back.
///
/// A request that fails in the proxy is answered with 502, or with 504 after a timeout. Redirects
/// aren't followed, because the key is meant for a single host.
package struct LiveProvider: HTTPService {
  /// The request headers that are forwarded. Trace contexts are for the emulator only.
  private static let keptHeaders = [
    "content-type", "accept", "anthropic-version", "anthropic-beta", "x-goog-user-project",
  ]

  package let name = "providers"
  private let target: ProviderTarget
  private let credential: ProviderCredential
  private let validatesOnly: Bool
  private let transport: HTTPClient
  private let timeout: Duration
  private let recorder: CassetteRecorder?
  private let report: @Sendable (_ problem: String) -> Void

  /// Creates a proxy.
  ///
  /// - Parameters:
  ///   - validatesOnly: a Boolean value that indicates whether FCM only validates pushes.
  ///   - timeout: the time limit of a response. The default is longer than any function waits.
  ///   - recorder: the recorder of the exchanges, or `nil` for none.
  ///   - report: called with a sentence about each problem, for the developer.
  package init(
    _ target: ProviderTarget,
    credential: ProviderCredential,
    validatesOnly: Bool = false,
    transport: HTTPClient,
    timeout: Duration = .seconds(120),
    recorder: CassetteRecorder? = nil,
    report: @escaping @Sendable (_ problem: String) -> Void
  ) {
    self.target = target
    self.credential = credential
    self.validatesOnly = validatesOnly
    self.transport = transport
    self.timeout = timeout
    self.recorder = recorder
    self.report = report
  }

  package func runsOnEventLoop(_ request: ServiceRequest) -> Bool { false }

  /// Returns the provider's response, or an error in the provider's format.
  ///
  /// - Parameter request: the request, without the leading `providers` in its path.
  package func respond(to request: ServiceRequest) async throws(StatusError) -> ServiceResponse {
    let deadline = ContinuousClock.now + timeout
    do throws(StatusError) {
      return try await pass(request, by: deadline)
    } catch {
      report("\(target.provider.rawValue): \(error.message)")
      return target.provider.error(
        status: error.code == .deadlineExceeded ? 504 : 502,
        message: error.message
      )
    }
  }

  private func pass(
    _ request: ServiceRequest,
    by deadline: ContinuousClock.Instant
  ) async throws(StatusError) -> ServiceResponse {
    let passed = ForwardedResponse()
    var outgoing = HTTPRequest(
      method: request.method,
      url: target.url(of: request),
      headers: try await headers(of: request, by: deadline),
      body: body(of: request),
      // A repeated request may be billed twice.
      isRepeatable: false
    )
    outgoing.receiver = passed
    let sending = Task { [outgoing, transport] () -> Result<HTTPResponse, StatusError> in
      defer { passed.finish() }
      do throws(StatusError) {
        return .success(try await transport.send(outgoing, deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
    guard case .begun(let status, let headers)? = await passed.next(), status == 200,
      headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true
    else { return whole(try await sending.value.get(), of: request) }
    var response = ServiceResponse(status: status, headers: Self.kept(headers))
    response.stream = { writer in
      // A disconnected client cancels the request.
      defer { sending.cancel() }
      while case .piece(let bytes)? = await passed.next() {
        try await writer.write(bytes)
        try await writer.flush()
      }
      switch await sending.value {
      case .success(let response): record(request, whole: response)
      case .failure(let error):
        report("\(target.provider.rawValue): \(error.message)")
        throw error
      }
    }
    return response
  }

  private func whole(_ response: HTTPResponse, of request: ServiceRequest) -> ServiceResponse {
    if (300..<400).contains(response.status) {
      report("\(target.provider.rawValue): a redirect (\(response.status)) isn't followed")
    }
    return record(request, whole: response)
  }

  @discardableResult
  private func record(_ request: ServiceRequest, whole response: HTTPResponse) -> ServiceResponse {
    let response = ServiceResponse(
      status: response.status,
      headers: Self.kept(response.headers),
      body: response.body
    )
    do throws(StatusError) {
      try recorder?.record(
        ProviderExchange(request: .init(request), response: .init(response)),
        of: target.provider,
        without: credential.secret
      )
    } catch {
      report("\(target.provider.rawValue): \(error.message)")
    }
    return response
  }

  // MARK: Requests

  private func headers(
    of request: ServiceRequest,
    by deadline: ContinuousClock.Instant
  ) async throws(StatusError) -> [HTTPHeader] {
    var headers = Self.keptHeaders.compactMap { name in
      request.headers[name].map { HTTPHeader(name, $0) }
    }
    switch credential {
    case .none: break
    case .account(let tokens):
      let token = try await tokens.accessToken(deadline: deadline)
      headers.append(HTTPHeader("Authorization", token.authorization))
    case .key(let key):
      switch target.provider {
      case .translation where request.path.first == "v3":
        throw StatusError(
          .failedPrecondition,
          "Translation v3 doesn't accept an API key: use a service account"
        )
      // The key is a field of the body.
      case .translation where ProviderTarget.isLibreTranslate(request): break
      case .translation: headers.append(HTTPHeader("X-goog-api-key", key.reveal()))
      case .openai, .fcm, .oauth:
        headers.append(HTTPHeader("Authorization", "Bearer \(key.reveal())"))
      case .anthropic: headers.append(HTTPHeader("x-api-key", key.reveal()))
      }
    }
    return headers
  }

  private func body(of request: ServiceRequest) -> Data? {
    guard !request.body.isEmpty else { return nil }
    guard var members = (try? JSONValue(parsing: request.body))?.object else {
      return request.body
    }
    switch target.provider {
    // The real server doesn't know the fake's key.
    case .translation where ProviderTarget.isLibreTranslate(request):
      members["api_key"] = credential.secret.map(JSONValue.string)
    case .fcm where validatesOnly:
      members["validateOnly"] = nil
      members["validate_only"] = .boolean(true)
    default: return request.body
    }
    return Data(JSONValue.object(members).line.utf8)
  }

  private static func kept(_ headers: [HTTPHeader]) -> [(name: String, value: String)] {
    headers.map { (name: $0.name.lowercased(), value: $0.value) }
      .filter { ProviderExchange.keptHeaders.contains($0.name) }
  }
}
