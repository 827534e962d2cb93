package import Core
package import HTTPClient

/// Requests of one invocation to a provider: its deadline, its trace, the process's connections.
package struct ProviderSession: Sendable {
  package let transport: HTTPClient
  package let deadline: ContinuousClock.Instant
  package let traceparent: String?
  private let gates: ProviderGates

  /// - Parameter gates: the process's; a session without any shares nothing with others.
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

  /// The same session for requests that have less time; nil for those that have not.
  func ending(by deadline: ContinuousClock.Instant?) -> ProviderSession {
    guard let deadline, deadline < self.deadline else { return self }
    return ProviderSession(
      transport: transport,
      deadline: deadline,
      traceparent: traceparent,
      gates: gates
    )
  }

  /// POSTs JSON and returns the answer, whatever its status.
  ///
  /// While the provider keeps failing it isn't asked: that is UNAVAILABLE at once, with the time
  /// after which it is asked again.
  ///
  /// - Parameters:
  ///   - address: the variable behind the URL, and `key` that of the key in the headers: an error
  ///     that is their fault names them.
  ///   - receiver: gets the answer's body while it comes.
  package func post(
    _ url: String,
    _ message: some Encodable,
    headers: [HTTPHeader],
    address: String,
    key: String,
    retry: HTTPRetryPolicy,
    maximumResponseBytes: Int = 4 * 1024 * 1024,
    receiver: (any ResponseReceiver)? = nil
  ) async throws(StatusError) -> HTTPResponse {
    guard let body = try? JSON.encode(message) else {
      throw StatusError(.internal, "a provider's request can't be encoded")
    }
    var headers = headers + [HTTPHeader("Content-Type", "application/json; charset=utf-8")]
    if let traceparent { headers.append(HTTPHeader("traceparent", traceparent)) }
    var request = HTTPRequest(
      method: "POST",
      url: url,
      headers: headers,
      body: body,
      maximumResponseBytes: maximumResponseBytes,
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
        // Only the key can break a header, say by a line feed at its end: no fault of the event.
        throw .configuration(
          .failedPrecondition,
          "\(error.message); is there white space in \(key)?"
        )
      case (_, .configuration):
        throw .configuration(error.code, "\(address): \(error.message)")
      case (_, .request): throw error
      }
    }
  }
}

extension ProviderSession {
  /// How errors call a provider.
  private static func name(behind address: String) -> String {
    switch address {
    case "TRANSLATION_BASE_URL": "the translation provider"
    case "FCM_BASE_URL": "FCM"
    case "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL": ModelProvider.name
    default: "the provider behind \(address)"
    }
  }
}

extension StatusError {
  /// A redirect: no key goes where an answer says.
  ///
  /// - Parameter address: the variable behind the URL.
  static func redirect(
    _ provider: String,
    _ response: HTTPResponse,
    _ address: String
  ) -> StatusError {
    .configuration(
      .failedPrecondition,
      "\(address): \(provider) answered \(response.status), and no redirect is followed"
    )
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
