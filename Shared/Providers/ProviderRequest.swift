package import Core
package import HTTPClient

/// The context of one invocation's requests to a provider: deadline, trace, and the process's
/// connections and `ProviderGates`.
package struct ProviderSession: Sendable {
  package let transport: HTTPClient
  package let deadline: ContinuousClock.Instant
  package let traceparent: String?
  private let gates: ProviderGates

  /// Creates a session.
  ///
  /// - Parameter gates: the process's gates. The default shares nothing with other sessions.
  package init(
    transport: HTTPClient,
    deadline: ContinuousClock.Instant,
    traceparent: String? = nil,
    gates: ProviderGates = ProviderGates()
  ) {
    self.transport = transport
    self.deadline = deadline
    self.traceparent = traceparent
    self.gates = gates
  }

  /// Returns a session with an earlier deadline, or this one if the deadline is `nil` or later.
  func ending(by deadline: ContinuousClock.Instant?) -> ProviderSession {
    guard let deadline, deadline < self.deadline else { return self }
    return ProviderSession(
      transport: transport,
      deadline: deadline,
      traceparent: traceparent,
      gates: gates
    )
  }

  /// Sends JSON and returns the response with any status.
  ///
  /// While the provider's circuit is open, the method throws `UNAVAILABLE` at once, with the time
  /// until the next attempt.
  ///
  /// - Parameters:
  ///   - address: the environment variable of the URL, named in errors that a wrong URL causes; the
  ///     provider's name if there is no variable.
  ///   - key: the environment variable of the key, named in errors that a wrong key causes.
  ///   - allowsPlaintext: a Boolean value that indicates whether a request to another machine may
  ///     use http://.
  ///   - receiver: the receiver of the response's body while the body arrives.
  package func send(
    method: String = "POST",
    _ url: String,
    _ message: some Encodable,
    headers: [HTTPHeader],
    address: String,
    key: String,
    retry: HTTPRetryPolicy,
    maximumResponseBytes: Int = 4 * 1024 * 1024,
    allowsPlaintext: Bool = false,
    receiver: (any ResponseReceiver)? = nil
  ) async throws(StatusError) -> HTTPResponse {
    guard let body = try? JSON.encode(message) else {
      throw StatusError(.internal, "a provider's request can't be encoded")
    }
    return try await send(
      method: method,
      url,
      body: body,
      headers: headers + [HTTPHeader("Content-Type", "application/json; charset=utf-8")],
      address: address,
      key: key,
      retry: retry,
      maximumResponseBytes: maximumResponseBytes,
      allowsPlaintext: allowsPlaintext,
      receiver: receiver
    )
  }

  /// Sends a request and returns the response with any status, as the method above does with JSON.
  ///
  /// - Parameter body: the body, or `nil` for none.
  package func send(
    method: String,
    _ url: String,
    body: Data?,
    headers: [HTTPHeader],
    address: String,
    key: String,
    retry: HTTPRetryPolicy,
    maximumResponseBytes: Int = 4 * 1024 * 1024,
    allowsPlaintext: Bool = false,
    receiver: (any ResponseReceiver)? = nil
  ) async throws(StatusError) -> HTTPResponse {
    var headers = headers
    if let traceparent { headers.append(HTTPHeader("traceparent", traceparent)) }
    var request = HTTPRequest(
      method: method,
      url: url,
      headers: headers,
      body: body,
      maximumResponseBytes: maximumResponseBytes,
      allowsPlaintext: allowsPlaintext,
      isRepeatable: retry.maximumAttempts > 1
    )
    request.receiver = receiver
    do throws(StatusError) {
      return try await gates.call(
        address,
        name: Self.name(behind: address),
        by: deadline,
        isFailure: { $0.status >= 500 }
      ) { () async throws(StatusError) in
        try await transport.send(request, deadline: deadline, retry: retry).response
      }
    } catch {
      switch (error.code, error.fault) {
      case (.invalidArgument, _):
        // Only the key can make a header invalid, for example by a line feed at its end. So this is
        // an error of the configuration, not of the event.
        throw .configuration(
          .failedPrecondition,
          "\(error.message): check \(key) for white space"
        )
      case (_, .configuration):
        throw .configuration(error.code, "\(address): \(error.message)")
      case (_, .request): throw error
      }
    }
  }
}

extension ProviderSession {
  /// Returns a provider's name in errors.
  private static func name(behind address: String) -> String {
    switch address {
    case "TRANSLATION_BASE_URL": "the translation provider"
    case "FCM_BASE_URL": "FCM"
    case AccountClient.hostVariable, AccountClient.name: AccountClient.name
    case RealtimeDatabaseClient.urlVariable, RealtimeDatabaseClient.hostVariable:
      RealtimeDatabaseClient.name
    case "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL": ModelProvider.name
    default: "the provider behind \(address)"
    }
  }
}

extension StatusError {
  /// Returns the error for a redirect. Redirects aren't followed, so that the key isn't sent to
  /// another address.
  ///
  /// - Parameter address: the environment variable of the URL.
  static func redirect(
    _ provider: String,
    _ response: HTTPResponse,
    _ address: String
  ) -> StatusError {
    .configuration(
      .failedPrecondition,
      "\(address): \(provider) answered \(response.status): "
        + "set the final URL, since redirects aren't followed"
    )
  }

  /// Returns the error for a response of a Google service with a status that isn't about the request:
  /// a redirect, an exceeded quota, an outage, or a request that the service rejects.
  static func service(
    _ name: String,
    _ response: HTTPResponse,
    _ address: String
  ) -> StatusError {
    switch response.status {
    case 300..<400: .redirect(name, response, address)
    case 429:
      StatusError(
        .resourceExhausted,
        "\(name) is over its quota",
        retryAfter: response.retryAfter
      )
    // A proxy's page isn't the service's response.
    case 200..<300, 408, 500...:
      StatusError(
        .unavailable,
        "\(name) answered \(response.status)",
        retryAfter: response.retryAfter
      )
    default: StatusError(.internal, "\(name) answered \(response.status)")
    }
  }
}

extension String {
  /// A base URL without the slashes at its end.
  package var withoutTrailingSlashes: String {
    var text = self
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}
