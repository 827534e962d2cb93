import Core
import Synchronization

/// The exit of one child process: waits for it, reaps the process once, resumes all waiting tasks.
///
/// Separate from `ChildProcess`, so that the waiting thread keeps no pipe open.
final class ProcessExit: Sendable {
  private struct State {
    var status: ExitStatus?
    var waiters: [CheckedContinuation<ExitStatus, Never>] = []
    /// A Boolean value that indicates whether other members of the group ran when the leader was
    /// reaped. The system doesn't reuse the group's ID as long as one runs.
    var hasSurvivors = false
  }

  let processIdentifier: pid_t
  private let leadsGroup: Bool
  private let mark: DescendantMark?
  private let state = Mutex(State())

  /// Creates the exit of a process that was just started, and starts to wait for it.
  ///
  /// - Parameter mark: The mark of the descendants to kill when the process ends, or `nil` to leave
  ///   them running.
  /// - Throws: RESOURCE_EXHAUSTED when the system can't create a thread; the process is then
  ///   killed.
  init(
    _ processIdentifier: pid_t,
    leadsGroup: Bool,
    mark: DescendantMark?
  ) throws(StatusError) {
    self.processIdentifier = processIdentifier
    self.leadsGroup = leadsGroup
    self.mark = mark
    do throws(StatusError) {
      try startThread { self.waitAndReap() }
    } catch {
      kill(processIdentifier, SIGKILL)
      waitAndReap()
      throw error
    }
  }

  var hasEnded: Bool { state.withLock { $0.status != nil } }

  func status() async -> ExitStatus {
    await withCheckedContinuation { continuation in
      let status = state.withLock { state in
        if state.status == nil { state.waiters.append(continuation) }
        return state.status
      }
      if let status { continuation.resume(returning: status) }
    }
  }

  /// Sends a signal to the group, or to the process if it leads none.
  ///
  /// - Returns: Whether a process received it.
  @discardableResult
  func signal(_ number: Int32) -> Bool {
    // Under the lock, so that the process isn't reaped and its ID reused in the meantime.
    state.withLock { state in
      guard state.status == nil || state.hasSurvivors else { return false }
      let wasSent = kill(leadsGroup ? -processIdentifier : processIdentifier, number) == 0
      if !wasSent { state.hasSurvivors = false }
      return wasSent
    }
  }

  /// Waits until the process ends, blocking the thread.
  private func waitAndReap() {
    var information = siginfo_t()
    let identifier = id_t(processIdentifier)
    while waitid(P_PID, identifier, &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    // Before the end is reported, and while the process ID can't be reused.
    if let mark {
      kill(-processIdentifier, SIGKILL)
      mark.killAll()
    }

    let (status, waiters) = state.withLock { state in
      var waitStatus: Int32 = 0
      var reaped: pid_t
      repeat {
        reaped = waitpid(processIdentifier, &waitStatus, 0)
      } while reaped < 0 && errno == EINTR
      // There is no status if this process was started with SIGCHLD ignored: report a failure.
      let status = reaped < 0 ? .exited(255) : ExitStatus(waitStatus: waitStatus)
      state.status = status
      state.hasSurvivors = leadsGroup && kill(-processIdentifier, 0) == 0
      defer { state.waiters = [] }
      return (status, state.waiters)
    }
    for waiter in waiters { waiter.resume(returning: status) }
  }
}
