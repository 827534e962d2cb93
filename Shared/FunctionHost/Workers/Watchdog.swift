import Core
import Synchronization

/// Kills a process and its group when their time is up.
///
/// One for a process's life: a timer for each event would cost more than giving the event.
final class Watchdog: Sendable {
  private struct State {
    var end: ContinuousClock.Instant?
    var wakeUp: ContinuousClock.Instant?
    var task: Task<Void, Never>?
    var hasKilled = false
  }

  private let process: ChildProcess
  private let state = Mutex(State())

  init(_ process: ChildProcess) { self.process = process }

  /// Gives the process time until `end`, or until `stop`.
  func start(until end: ContinuousClock.Instant) {
    state.withLock { state in
      state.end = end
      if let wakeUp = state.wakeUp, wakeUp <= end { return }
      state.task?.cancel()
      state.wakeUp = end
      state.task = Task { await watch(from: end) }
    }
  }

  /// - Returns: whether the time was up, so that the process was killed.
  func stop() -> Bool {
    state.withLock { state in
      state.end = nil
      return state.hasKilled
    }
  }

  /// Lets go of the process, which is not to be watched any more.
  func dismiss() { state.withLock { $0.task?.cancel() } }

  private func watch(from first: ContinuousClock.Instant) async {
    var wakeUp: ContinuousClock.Instant? = first
    while let time = wakeUp {
      do { try await Task.sleep(until: time, clock: .continuous) } catch { return }
      wakeUp = state.withLock { state in
        // Another task has taken over, or nobody needs one.
        guard !Task.isCancelled else { return nil }
        if let end = state.end, end > .now {
          state.wakeUp = end
        } else {
          state.wakeUp = nil
          state.hasKilled = state.end != nil
          if state.hasKilled { process.signal(SIGKILL) }
        }
        return state.wakeUp
      }
    }
  }
}
