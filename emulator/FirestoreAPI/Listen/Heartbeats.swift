import Synchronization

/// The heartbeats of all Listen streams, which keep their clients' resume tokens recent.
///
/// One task serves all streams, because a cancelled sleep of Swift's takes memory until it is due:
/// with a task for each stream, those of short streams would add up.
final class Heartbeats: Sendable {
  private struct State {
    /// When the next heartbeat of each stream is due.
    var streams: [ObjectIdentifier: (session: ListenSession, due: ContinuousClock.Instant)] = [:]
    /// The task that sends heartbeats while there are any streams.
    var task: Task<Void, Never>?
  }

  private let interval: Duration
  private let state = Mutex(State())

  init(interval: Duration) { self.interval = interval }

  func add(_ session: ListenSession) {
    state.withLock { state in
      state.streams[ObjectIdentifier(session)] = (session, .now + interval)
      guard state.task == nil else { return }
      state.task = Task { [weak self, interval] in
        while (try? await Task.sleep(for: interval / 8)) != nil, let self, self.send() {}
      }
    }
  }

  func remove(_ session: ListenSession) {
    state.withLock { _ = $0.streams.removeValue(forKey: ObjectIdentifier(session)) }
  }

  /// Sends the heartbeats that are due.
  ///
  /// - Returns: `false` if there are no streams, so that the task ends.
  private func send() -> Bool {
    let now = ContinuousClock.now
    let due = state.withLock { state -> [ListenSession]? in
      guard !state.streams.isEmpty else {
        state.task = nil
        return nil
      }
      let due = state.streams.filter { $0.value.due <= now }
      for (id, stream) in due { state.streams[id] = (stream.session, now + interval) }
      return due.values.map(\.session)
    }
    for session in due ?? [] { session.sendHeartbeat() }
    return due != nil
  }
}
