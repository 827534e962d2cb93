package import HTTPTransport
import JSONCoding
import Platform
package import RPCStatus

/// Requests of one invocation to a provider: its deadline, its trace, the process's connections.
package struct ProviderSession: Sendable {
  package let transport: HTTPTransport
  package let deadline: ContinuousClock.Instant
  package let traceparent: String?

  package init(
    transport: HTTPTransport,
    deadline: ContinuousClock.Instant,
    traceparent: String? = nil
  ) {
    self.transport = transport
    self.deadline = deadline
    self.traceparent = traceparent
  }

  /// The same session for requests that have less time; nil for those that have not.
  func ending(by deadline: ContinuousClock.Instant?) -> ProviderSession {
    guard let deadline, deadline < self.deadline else { return self }
    return ProviderSession(transport: transport, deadline: deadline, traceparent: traceparent)
  }

  /// POSTs JSON and returns the answer, whatever its status.
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
    retry: RetryPolicy,
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
      maximumResponseBytes: maximumResponseBytes
    )
    request.receiver = receiver
    do throws(StatusError) {
      return try await transport.send(request, deadline: deadline, retry: retry).response
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

extension String {
  /// A base URL without the slashes at its end.
  package var withoutTrailingSlashes: String {
    var text = self
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}
