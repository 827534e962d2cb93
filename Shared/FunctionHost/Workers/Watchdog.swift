import Core
import Synchronization

/// A timer that kills a process and its group at a deadline.
///
/// A process has one watchdog for all its events, because a timer per event would cost more than
/// the event's delivery.
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

  /// Sets the deadline; `stop` clears it.
  func start(until end: ContinuousClock.Instant) {
    state.withLock { state in
      state.end = end
      if let wakeUp = state.wakeUp, wakeUp <= end { return }
      state.task?.cancel()
      state.wakeUp = end
      state.task = Task { await watch(from: end) }
    }
  }

  /// Clears the deadline.
  ///
  /// - Returns: Whether the process was killed because the deadline passed.
  func stop() -> Bool {
    state.withLock { state in
      state.end = nil
      return state.hasKilled
    }
  }

  /// Stops watching and releases the process.
  func dismiss() { state.withLock { $0.task?.cancel() } }

  private func watch(from first: ContinuousClock.Instant) async {
    var wakeUp: ContinuousClock.Instant? = first
    while let time = wakeUp {
      do { try await Task.sleep(until: time, clock: .continuous) } catch { return }
      wakeUp = state.withLock { state in
        // Another task has replaced this one, or there is no deadline.
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
