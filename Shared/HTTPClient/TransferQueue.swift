import CLibcurl
import Core
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
    /// A piece of a task that runs on the thread.
    case run(UnownedJob, on: UnownedTaskExecutor)
    case watch(InputWatch)
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
  /// Unchecked because these are bare pointers. Its lock makes it safe: the handle is used inside it
  /// only, and taken out of it before it is freed.
  private struct Waker: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    let thread: pthread_t

    var isOfThisThread: Bool { pthread_equal(thread, pthread_self()) != 0 }
  }

  private struct State: Sendable {
    var commands: [Command] = []
    var nextIdentifier: UInt64 = 0
    var hasThread = false
    var isStopped = false
    var mustRest = false
    var hasEnded = false
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  /// Apart from the state, which the thread looks at as soon as it is awake: it would find that locked.
  private let waker = Mutex<Waker?>(nil)

  /// What the thread does itself it sees before it waits again.
  private func wakeUp() {
    waker.withLock { waker in
      if let waker, !waker.isOfThisThread { curl_multi_wakeup(waker.handle) }
    }
  }

  /// Whether the caller is the queue's thread.
  var isOnThread: Bool { waker.withLock { $0?.isOfThisThread ?? false } }

  // MARK: The tasks' side

  func newIdentifier() -> UInt64 {
    state.withLock { state in
      state.nextIdentifier += 1
      return state.nextIdentifier
    }
  }

  enum Submission { case refused, queued, first }

  /// Hands a command over.
  ///
  /// - Returns: `refused` if the queue is stopped; `first` if the caller must start the thread.
  func submit(_ command: Command) -> Submission {
    let submission = state.withLock { state -> Submission in
      guard !state.isStopped else { return .refused }
      state.commands.append(command)
      defer { state.hasThread = true }
      return state.hasThread ? .queued : .first
    }
    wakeUp()
    return submission
  }

  /// Ends a transfer early. One that has ended already stays as it is.
  func cancel(_ identifier: UInt64) {
    state.withLock { state in
      guard state.hasThread, !state.hasEnded else { return }
      state.commands.append(.cancel(identifier: identifier))
    }
    wakeUp()
  }

  /// Asks the thread to cancel what is under way and to end.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp()
  }

  /// Asks the thread to rest, as the process exits.
  func rest() {
    state.withLock { $0.mustRest = true }
    wakeUp()
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
    let waker = Waker(handle: multiHandle, thread: pthread_self())
    self.waker.withLock { $0 = waker }
  }

  /// Whether there is nothing for the thread to do but to wait.
  var isEmpty: Bool {
    state.withLock { $0.commands.isEmpty && !$0.isStopped && !$0.mustRest }
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

  /// Refuses all further commands and returns those that came too late. The multi handle may be
  /// freed after this.
  func detach() -> [Command] {
    waker.withLock { $0 = nil }
    return state.withLock { state in
      state.isStopped = true
      defer { state.commands = [] }
      return state.commands
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

extension [TransferQueue.Command] {
  /// What becomes of commands that no thread will carry out: transfers fail, tasks go on elsewhere.
  func refuse(with error: (TransferJob) -> StatusError) {
    for command in self {
      switch command {
      case .start(let job): job.finish(.failure(error(job)))
      case .cancel: break
      case .run(let job, _): globalConcurrentExecutor.enqueue(ExecutorJob(job))
      case .watch(let watch): watch.continuation.resume()
      }
    }
  }
}
