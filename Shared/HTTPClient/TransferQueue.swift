import CLibcurl
import Core
import Synchronization

/// The queue of commands from tasks to the transfer thread.
///
/// libcurl's calls block. Swift has only as many threads for tasks as there are cores, so blocking
/// one would block other tasks. Therefore a separate thread runs all transfers.
final class TransferQueue: Sendable {
  /// A command to the transfer thread. Commands are executed in order.
  enum Command: Sendable {
    case start(TransferJob)
    case cancel(identifier: UInt64)
    /// Runs a job of a task on the transfer thread.
    case run(UnownedJob, on: UnownedTaskExecutor)
    case watch(InputWatch)
  }

  /// The commands that have arrived since the last batch, and whether the thread must end after
  /// them.
  struct Batch: Sendable {
    let commands: [Command]
    /// A Boolean value that indicates whether the thread must cancel all transfers and end.
    let isLast: Bool
  }

  /// The multi handle, with which other threads wake up the transfer thread. They may call only the
  /// function `curl_multi_wakeup` on it.
  ///
  /// `@unchecked` is necessary because pointers aren't Sendable. It is safe because the handle is
  /// used only under the lock, and `detach` clears it before it is freed.
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
    var hasEnded = false
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  /// The waker, which has a separate lock. A thread that wakes up locks `state` at once. If both
  /// had one lock, the thread would wait until the caller of `wakeUp` unlocks it.
  private let waker = Mutex<Waker?>(nil)

  /// Wakes up the transfer thread. If the caller is that thread, nothing is necessary, because it
  /// checks the queue before it waits.
  private func wakeUp() {
    waker.withLock { waker in
      if let waker, !waker.isOfThisThread { curl_multi_wakeup(waker.handle) }
    }
  }

  // MARK: For tasks

  func newIdentifier() -> UInt64 {
    state.withLock { state in
      state.nextIdentifier += 1
      return state.nextIdentifier
    }
  }

  enum Submission { case refused, queued, first }

  /// Submits a command.
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

  /// Cancels a transfer, unless it has ended.
  func cancel(_ identifier: UInt64) {
    state.withLock { state in
      guard state.hasThread, !state.hasEnded else { return }
      state.commands.append(.cancel(identifier: identifier))
    }
    wakeUp()
  }

  /// Makes the thread cancel all transfers and end.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp()
  }

  /// Waits until the thread has freed all its resources.
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

  // MARK: For the transfer thread

  /// Sets the multi handle through which tasks wake up the thread.
  func attach(_ multiHandle: UnsafeMutableRawPointer) {
    let waker = Waker(handle: multiHandle, thread: pthread_self())
    self.waker.withLock { $0 = waker }
  }

  /// A Boolean value that indicates whether there is neither a command nor a request to stop, so
  /// that the thread can wait.
  var isEmpty: Bool {
    state.withLock { $0.commands.isEmpty && !$0.isStopped }
  }

  func nextBatch() -> Batch {
    state.withLock { state in
      defer { state.commands = [] }
      return Batch(
        commands: state.commands,
        isLast: state.isStopped
      )
    }
  }

  /// Refuses all further commands, and returns the pending ones. After this call the multi handle
  /// may be freed.
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
  /// Handles commands that no thread will execute: transfers fail, and tasks continue on the
  /// default executor.
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
