package import Core
import Synchronization

/// A bidirectional stream of JSON messages. It outlives the HTTP requests that carry it.
///
/// The client sends messages in POST requests, and receives arrays in the response to a GET request,
/// the back channel. If a connection breaks, the client sends the request again, and the arrays
/// that it hasn't acknowledged are sent again.
package final class ChannelSession: Sendable {
  typealias Waiter = CheckedContinuation<Void, Never>

  fileprivate struct State {
    var outbox = Outbox()
    /// The number of the last back channel.
    var backChannel = 0
    /// A Boolean value that indicates whether the last back channel is open.
    var isRead = false
    /// The back channel's time without arrays after which a noop is sent.
    var patience = Duration.zero
    /// The time of the last noop or message, or of the loss of the back channel.
    var lastActivity = ContinuousClock.now
    /// A Boolean value that indicates whether the stream has ended, so that nothing more is sent.
    var isFinished = false
    var isClosed = false
    var reader: Waiter?
    var writer: Waiter?
    var task: Task<Void, Never>?
  }

  /// The size of the unacknowledged messages, in bytes, above which the stream waits. The back
  /// channel's response ends, so that the client acknowledges what it has received.
  static let maximumUnacknowledged = 256 << 10

  let id: String
  /// The route that opened the session, which the requests of the session must have.
  let route: String
  package let inbox = Inbox()
  private let state = Mutex(State())

  init(id: String, route: String) {
    self.id = id
    self.route = route
  }

  /// Runs the session's stream. When it ends, the client is told so.
  func run(_ stream: @escaping @Sendable (ChannelSession) async throws(StatusError) -> Void) {
    let task = Task {
      do throws(StatusError) {
        try await stream(self)
        finish()
      } catch {
        finish(error)
      }
    }
    let isClosed = state.withLock { state in
      state.task = task
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// Ends the session: its stream is cancelled, and its back channel ends.
  func close() {
    let (task, waiters) = state.withLock { state in
      state.isClosed = true
      defer { state.task = nil }
      return (state.task, [state.reader.take(), state.writer.take()].compactMap(\.self))
    }
    task?.cancel()
    inbox.finish()
    for waiter in waiters { waiter.resume() }
  }

  // MARK: The stream

  /// Sends messages. Waits while the client hasn't acknowledged many earlier ones.
  ///
  /// - Throws: `CANCELLED` if the session has ended.
  package func send(_ messages: [ChannelMessage]) async throws(StatusError) {
    append(messages.map { .message($0) })
    await waitUnlessCancelled { writer in
      state.withLock { state in
        guard !state.isClosed, state.outbox.byteCount > Self.maximumUnacknowledged,
          !Task.isCancelled
        else { return false }
        state.writer = writer
        return true
      }
    } takeBack: {
      self.state.withLock { $0.writer.take() }
    }
    guard !state.withLock(\.isClosed) else {
      throw StatusError(.cancelled, "the channel has ended")
    }
  }

  private func append(_ contents: [ChannelArray.Content], isLast: Bool = false) {
    let reader = state.withLock { state -> Waiter? in
      guard !state.isFinished else { return nil }
      for content in contents { state.outbox.append(content) }
      state.isFinished = isLast
      return state.reader.take()
    }
    reader?.resume()
  }

  /// Tells the client that the stream has ended. Nothing is sent afterwards.
  func finish(_ error: StatusError? = nil) {
    let message = error.map { ChannelArray.Content.message(ChannelMessage($0)) }
    append([message, .close].compactMap(\.self), isLast: true)
    inbox.finish()
  }

  // MARK: Requests

  /// What the response to a request with messages says.
  struct Receipt {
    var isRead: Bool
    var lastID: Int
    var byteCount: Int
  }

  /// Drops the arrays that the client has received.
  ///
  /// - Throws: `INVALID_ARGUMENT` if no such array was sent.
  func acknowledge(_ id: Int) throws(StatusError) -> Receipt {
    let (receipt, writer) = try state.withLock { state throws(StatusError) in
      try state.acknowledge(id)
    }
    writer?.resume()
    return receipt
  }

  /// Opens a back channel. The one before it ends.
  ///
  /// - Parameters:
  ///   - id: The number of the last array that the client has received.
  ///   - patience: The time without arrays after which a noop is sent.
  ///   - isStreamed: Whether the response continues after its first arrays. Such a response begins
  ///     with a noop, so that the client sees at once that no proxy holds the response back.
  /// - Returns: The back channel's number.
  /// - Throws: `INVALID_ARGUMENT` if no such array was sent, or later ones were dropped.
  func openBackChannel(
    after id: Int,
    patience: Duration,
    isStreamed: Bool
  ) throws(StatusError) -> Int {
    let (number, waiters) = try state.withLock { state throws(StatusError) in
      _ = try state.outbox.arrays(after: id)
      let (_, writer) = try state.acknowledge(id)
      state.backChannel += 1
      state.isRead = true
      state.patience = patience
      state.lastActivity = .now
      if isStreamed, !state.isFinished, !state.outbox.endsWithNoop { state.outbox.append(.noop) }
      return (state.backChannel, [state.reader.take(), writer].compactMap(\.self))
    }
    for waiter in waiters { waiter.resume() }
    return number
  }

  /// Returns the arrays after one, and waits if there are none.
  ///
  /// - Returns: `nil` if the back channel has ended, because the session or its stream has ended, or
  ///   another back channel was opened.
  func arrays(after id: Int, for backChannel: Int) async -> [ChannelArray]? {
    while !Task.isCancelled {
      let arrays = state.withLock { state -> [ChannelArray]? in
        guard state.backChannel == backChannel, !state.isClosed else { return nil }
        if state.isFinished, state.outbox.lastID == id { return nil }
        let arrays = try? state.outbox.arrays(after: id)
        if arrays?.isEmpty == false { state.lastActivity = .now }
        return arrays
      }
      guard let arrays else { return nil }
      if !arrays.isEmpty { return arrays }
      await waitUnlessCancelled { reader in
        state.withLock { state in
          guard state.backChannel == backChannel, !state.isClosed, state.outbox.lastID == id,
            !Task.isCancelled
          else { return false }
          state.reader = reader
          return true
        }
      } takeBack: {
        self.state.withLock { $0.backChannel == backChannel ? $0.reader.take() : nil }
      }
    }
    return nil
  }

  /// A Boolean value that indicates whether the client must acknowledge arrays before the stream
  /// continues.
  var isFull: Bool { state.withLock { $0.outbox.byteCount > Self.maximumUnacknowledged } }

  /// Records that a back channel is lost or was ended.
  func closeBackChannel(_ number: Int) {
    state.withLock { state in
      guard state.backChannel == number else { return }
      state.isRead = false
      state.lastActivity = .now
    }
  }

  // MARK: Time

  /// The state of a session without a back channel.
  struct Absence {
    var since: ContinuousClock.Instant
    var byteCount: Int
  }

  /// The client's absence, or `nil` if the session has a back channel.
  var absence: Absence? {
    state.withLock { state in
      state.isRead
        ? nil : Absence(since: state.lastActivity, byteCount: state.outbox.byteCount)
    }
  }

  /// Sends a noop if the back channel has sent nothing for a while.
  func keepAlive(now: ContinuousClock.Instant) {
    let reader = state.withLock { state -> Waiter? in
      guard state.isRead, !state.isFinished, now - state.lastActivity >= state.patience else {
        return nil
      }
      state.lastActivity = now
      state.outbox.append(.noop)
      return state.reader.take()
    }
    reader?.resume()
  }
}

extension ChannelSession.State {
  fileprivate mutating func acknowledge(
    _ id: Int
  ) throws(StatusError) -> (ChannelSession.Receipt, ChannelSession.Waiter?) {
    try outbox.acknowledge(id)
    if !isRead { lastActivity = .now }
    let receipt = ChannelSession.Receipt(
      isRead: isRead,
      lastID: outbox.lastID,
      byteCount: outbox.byteCount
    )
    let isFull = outbox.byteCount > ChannelSession.maximumUnacknowledged
    return (receipt, isFull ? nil : writer.take())
  }
}
