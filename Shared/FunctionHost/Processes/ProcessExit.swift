import Core
import Synchronization

/// The exit of one child process. A thread waits for it, reaps the process once, and resumes all
/// waiting tasks.
///
/// It is separate from `ChildProcess`, so that the thread keeps no pipe open.
final class ProcessExit: Sendable {
  private struct State {
    var status: ExitStatus?
    var waiters: [CheckedContinuation<ExitStatus, Never>] = []
    /// A Boolean value that indicates whether other processes of the group still ran when the
    /// leader was reaped. As long as one runs, the system doesn't reuse the group's ID.
    var hasSurvivors = false
  }

  let processIdentifier: pid_t
  private let leadsGroup: Bool
  private let mark: DescendantMark?
  private let state = Mutex(State())

  /// Creates the exit of a process that was just started, and a thread that waits for it.
  ///
  /// - Parameter mark: The environment variable by which descendants are found and killed when the
  ///   process ends, or `nil` to leave them running.
  /// - Throws: RESOURCE_EXHAUSTED when the system can't create a thread. In that case the process
  ///   is killed.
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

  /// Sends a signal to the group, or to the process alone if it doesn't lead a group.
  ///
  /// - Returns: Whether a process received it.
  @discardableResult
  func signal(_ number: Int32) -> Bool {
    // Send under the lock, so that the process isn't reaped and its ID isn't reused in the
    // meantime.
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
    // Kill the descendants before the end is reported, and before the process is reaped, so that
    // its ID can't be reused yet.
    if let mark {
      kill(-processIdentifier, SIGKILL)
      mark.killAll(below: processIdentifier)
    }

    let (status, waiters) = state.withLock { state in
      var waitStatus: Int32 = 0
      var reaped: pid_t
      repeat {
        reaped = waitpid(processIdentifier, &waitStatus, 0)
      } while reaped < 0 && errno == EINTR
      // If this process was started with SIGCHLD ignored, there is no status: report a failure.
      let status = reaped < 0 ? .exited(255) : ExitStatus(waitStatus: waitStatus)
      state.status = status
      state.hasSurvivors = leadsGroup && kill(-processIdentifier, 0) == 0
      defer { state.waiters = [] }
      return (status, state.waiters)
    }
    for waiter in waiters { waiter.resume(returning: status) }
  }
}
