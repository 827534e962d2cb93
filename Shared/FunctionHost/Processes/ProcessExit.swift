import Core
import Synchronization

/// The end of one child process: waits for it, reaps it once, tells everybody.
///
/// Apart from `ChildProcess`, so that the thread that waits keeps no pipe open.
final class ProcessExit: Sendable {
  private struct State {
    var status: ExitStatus?
    var waiters: [CheckedContinuation<ExitStatus, Never>] = []
    /// Whether members of the group were left when the leader was reaped. As long as there are,
    /// the system gives the group's number to nobody else.
    var hasSurvivors = false
  }

  let processIdentifier: pid_t
  private let leadsGroup: Bool
  private let mark: DescendantMark?
  private let state = Mutex(State())

  /// Takes over a process just started.
  ///
  /// - Parameter mark: that of its descendants, which end with it; nil leaves them.
  /// - Throws: RESOURCE_EXHAUSTED when the system gives no thread; the process is then killed.
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
  /// - Returns: whether anything was there to get it.
  @discardableResult
  func signal(_ number: Int32) -> Bool {
    // Under the lock, so that the process isn't reaped, and its number given away, meanwhile.
    state.withLock { state in
      guard state.status == nil || state.hasSurvivors else { return false }
      let wasSent = kill(leadsGroup ? -processIdentifier : processIdentifier, number) == 0
      if !wasSent { state.hasSurvivors = false }
      return wasSent
    }
  }

  /// Blocks its thread until the process ended.
  private func waitAndReap() {
    var information = siginfo_t()
    let identifier = id_t(processIdentifier)
    while waitid(P_PID, identifier, &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    // Before anybody hears of its end, and while its number is nobody else's.
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
      // Gone without a status, because this process was started with SIGCHLD ignored: no success.
      let status = reaped < 0 ? .exited(255) : ExitStatus(waitStatus: waitStatus)
      state.status = status
      state.hasSurvivors = leadsGroup && kill(-processIdentifier, 0) == 0
      defer { state.waiters = [] }
      return (status, state.waiters)
    }
    for waiter in waiters { waiter.resume(returning: status) }
  }
}
