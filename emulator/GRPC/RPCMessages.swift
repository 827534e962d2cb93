package import Core
package import SwiftProtobuf

/// The messages that the client sends on a stream. Only one task may read them.
///
/// The sequence ends after the client's last message, and throws an error if the call ends for
/// another reason. If messages aren't read, flow control makes the client wait.
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
