package import Core
package import SwiftProtobuf

/// The messages of a client's stream, for one reader.
///
/// The sequence ends when the client has sent its last message, and throws if something else ended
/// the call. Unread messages slow down the client (flow control).
package struct RPCMessages<Request: Message & Sendable>: AsyncSequence, Sendable {
  package typealias Element = Request
  package typealias Failure = StatusError

  private let input: RPCInput

  init(_ input: RPCInput) {
    self.input = input
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(input: input)
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let input: RPCInput

    package mutating func next() async throws(StatusError) -> Request? {
      try await next(isolation: nil)
    }

    package mutating func next(
      isolation: isolated (any Actor)?
    ) async throws(StatusError) -> Request? {
      guard let payload = try await input.next() else { return nil }
      return try Request(payload: payload)
    }
  }
}
