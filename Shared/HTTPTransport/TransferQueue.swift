import CLibcurl
import RPCStatus
import Synchronization

/// The hand-over between tasks and the transfer thread.
///
/// Blocking in libcurl on Swift's own threads would serialise the tasks, of which there run only as
/// many at once as the machine has cores. So one thread of ours does all the transfers.
final class TransferQueue: Sendable {
  /// What the thread is asked to do, in this order.
  enum Command: Sendable {
    case start(TransferJob)
    case cancel(identifier: UInt64)
  }

  /// The commands since the last look, and what comes after them.
  struct Batch: Sendable {
    let commands: [Command]
    /// The thread is to cancel what is under way and to end.
    let isLast: Bool
    /// The process exits: the thread is to touch nothing any more.
    let mustRest: Bool
  }

  /// The multi handle, for waking the thread up: `curl_multi_wakeup` is the one function of it that
  /// other threads may call.
  ///
  /// Unchecked because it's a bare pointer. The lock of the queue makes it safe: the pointer is used
  /// inside it only, and taken out of it before the handle is freed.
  private struct Waker: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
  }

  private struct State: Sendable {
    var commands: [Command] = []
    var nextIdentifier: UInt64 = 0
    var hasThread = false
    var isStopped = false
    var mustRest = false
    var hasEnded = false
    var waker: Waker?
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    func wakeUp() {
      if let waker { curl_multi_wakeup(waker.handle) }
    }
  }

  private let state = Mutex(State())

  // MARK: The tasks' side

  func newIdentifier() -> UInt64 {
    state.withLock { state in
      state.nextIdentifier += 1
      return state.nextIdentifier
    }
  }

  /// Hands a job over.
  ///
  /// - Returns: whether the caller must start the thread, as this is the first job.
  func submit(_ job: TransferJob) -> Bool {
    enum Outcome { case refused, queued, first }
    let outcome = state.withLock { state -> Outcome in
      guard !state.isStopped else { return .refused }
      state.commands.append(.start(job))
      state.wakeUp()
      defer { state.hasThread = true }
      return state.hasThread ? .queued : .first
    }
    if outcome == .refused { job.finish(.failure(job.cancelled)) }
    return outcome == .first
  }

  /// Ends a transfer early. One that has ended already stays as it is.
  func cancel(_ identifier: UInt64) {
    state.withLock { state in
      guard state.hasThread, !state.hasEnded else { return }
      state.commands.append(.cancel(identifier: identifier))
      state.wakeUp()
    }
  }

  /// Asks the thread to cancel what is under way and to end.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.wakeUp()
    }
  }

  /// Asks the thread to rest, as the process exits.
  func rest() {
    state.withLock { state in
      state.mustRest = true
      state.wakeUp()
    }
  }

  /// Returns when the thread has freed everything it had.
  func ended() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.hasEnded || !state.hasThread { return true }
        state.waitingForEnd.append(continuation)
        return false
      }
      if hasEnded { continuation.resume() }
    }
  }

  // MARK: The thread's side

  /// From here on the other side wakes the thread up through its multi handle.
  func attach(_ multiHandle: UnsafeMutableRawPointer) {
    let waker = Waker(handle: multiHandle)
    state.withLock { $0.waker = waker }
  }

  func nextBatch() -> Batch {
    state.withLock { state in
      defer { state.commands = [] }
      return Batch(
        commands: state.commands,
        isLast: state.isStopped,
        mustRest: state.mustRest
      )
    }
  }

  /// Refuses all further jobs and returns those that came too late. The multi handle may be freed
  /// after this.
  func detach() -> [TransferJob] {
    state.withLock { state in
      state.isStopped = true
      state.waker = nil
      defer { state.commands = [] }
      return state.commands.compactMap { command in
        if case .start(let job) = command { job } else { nil }
      }
    }
  }

  func announceEnd() {
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waitingForEnd = [] }
      return state.waitingForEnd
    }
    for continuation in waiting { continuation.resume() }
  }
}
