package import Core
import DequeModule
import Synchronization

/// The messages from a channel's client, in the order of their numbers.
///
/// A client that gets no response sends a request again, perhaps on another connection. So messages
/// may arrive twice or early.
package final class Inbox: AsyncSequence, Sendable {
  package typealias Element = Data
  package typealias Failure = Never

  private struct State {
    /// The number of the next message.
    var next = 0
    /// Messages that arrived before an earlier one, by number.
    var early: [Int: Data] = [:]
    var messages: Deque<Data> = []
    /// The size of `early` and `messages`, in bytes.
    var byteCount = 0
    var isFinished = false
    var reader: CheckedContinuation<Void, Never>?
    /// Requests that wait because the reader is slow, by number.
    var writers: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWriter = 0
  }

  /// The distance of an early message from the next one, at most.
  private static let maximumAhead = 1_000
  /// The size of unread messages above which a request waits for the reader.
  private static let waitingBytes = 1 << 20
  /// The size of unread messages above which a request is refused.
  private static let maximumBytes = 32 << 20

  private let state = Mutex(State())

  /// Adds messages. While there are many unread ones, waits.
  ///
  /// - Parameter number: The first message's number. The channel's first message has number 0.
  /// - Throws: `RESOURCE_EXHAUSTED` if too many messages are unread, or too many before them are
  ///   missing.
  func add(_ messages: [Data], from number: Int) async throws(StatusError) {
    let reader = try state.withLock { state throws(StatusError) in
      guard !state.isFinished else { return nil as CheckedContinuation<Void, Never>? }
      guard number <= state.next + Self.maximumAhead else {
        throw StatusError(
          .resourceExhausted,
          "message \(number) arrived, but message \(state.next) is missing"
        )
      }
      for (offset, message) in messages.enumerated() where number + offset >= state.next {
        guard state.early[number + offset] == nil else { continue }
        guard state.byteCount + message.count <= Self.maximumBytes else {
          throw StatusError(
            .resourceExhausted,
            "the channel has more than \(Self.maximumBytes >> 20) MiB of unread messages"
          )
        }
        state.early[number + offset] = message
        state.byteCount += message.count
      }
      while let message = state.early.removeValue(forKey: state.next) {
        state.messages.append(message)
        state.next += 1
      }
      return state.messages.isEmpty ? nil : state.reader.take()
    }
    reader?.resume()
    await waitForReader()
  }

  /// The size of the unread messages, in bytes.
  var byteCount: Int { state.withLock(\.byteCount) }

  private func waitForReader() async {
    let number = state.withLock { state in
      state.lastWriter += 1
      return state.lastWriter
    }
    await waitUnlessCancelled { writer in
      state.withLock { state in
        // Messages that wait for an earlier one can't be read, however long the request waits.
        guard !state.isFinished, !state.messages.isEmpty, state.byteCount > Self.waitingBytes,
          !Task.isCancelled
        else { return false }
        state.writers[number] = writer
        return true
      }
    } takeBack: {
      self.state.withLock { $0.writers.removeValue(forKey: number) }
    }
  }

  /// Ends the sequence. Its unread messages are dropped.
  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      state.messages = []
      state.early = [:]
      state.byteCount = 0
      defer { state.writers = [:] }
      return Array(state.writers.values) + [state.reader.take()].compactMap(\.self)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns the next message, or `nil` at the end. Only one task may call it at a time.
  private func next() async -> Data? {
    while true {
      let (message, isFinished, writers) = state.withLock { state in
        let message = state.messages.popFirst()
        state.byteCount -= message?.count ?? 0
        guard state.byteCount <= Self.waitingBytes else {
          return (message, state.isFinished, [CheckedContinuation<Void, Never>]())
        }
        defer { state.writers = [:] }
        return (message, state.isFinished, Array(state.writers.values))
      }
      for writer in writers { writer.resume() }
      if message != nil || isFinished || Task.isCancelled { return message }
      await waitUnlessCancelled { reader in
        state.withLock { state in
          guard state.messages.isEmpty, !state.isFinished, !Task.isCancelled else { return false }
          state.reader = reader
          return true
        }
      } takeBack: {
        self.state.withLock { $0.reader.take() }
      }
    }
  }

  package struct Iterator: AsyncIteratorProtocol {
    let inbox: Inbox

    package func next() async -> Data? { await inbox.next() }
    package func next(isolation actor: isolated (any Actor)?) async -> Data? { await inbox.next() }
  }

  package func makeAsyncIterator() -> Iterator { Iterator(inbox: self) }
}
