package import RPCStatus

/// Takes the messages of an answer that is a stream, as many at a time as are at hand, and waits
/// while the other side doesn't read.
package struct ResponseSender<Response: Sendable>: Sendable {
  private let body: @Sendable ([Response]) async throws(StatusError) -> Void

  package init(_ body: @escaping @Sendable ([Response]) async throws(StatusError) -> Void) {
    self.body = body
  }

  package func send(_ responses: Response...) async throws(StatusError) {
    try await body(responses)
  }

  package func send(_ responses: [Response]) async throws(StatusError) {
    try await body(responses)
  }
}
