import Core
import Synchronization

/// The open sessions of a server. Sessions that nobody reads are ended.
final class ChannelSessions: Sendable {
  /// The limits of sessions.
  struct Limits: Sendable {
    /// The maximum number of sessions.
    var count = 10_000
    /// The time for which a session without a back channel stays open.
    var absence = Duration.seconds(60)
    /// The maximum size of the messages that all sessions without a back channel haven't sent, and
    /// of those from clients that no stream has read, in bytes.
    var unreadBytes = 64 << 20
  }

  /// The time between two checks of all sessions.
  private static let interval = Duration.seconds(1)

  private struct State {
    var sessions: [String: ChannelSession] = [:]
    /// The task that checks the sessions while there are any.
    var checks: Task<Void, Never>?
  }

  private let limits: Limits
  private let state = Mutex(State())

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Opens a session. If there are too many, a tenth of them is ended: those without a back channel
  /// for the longest time.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` if all of them have a back channel.
  func open(route: String) throws(StatusError) -> ChannelSession {
    if state.withLock(\.sessions.count) >= limits.count { endAbsent(max(1, limits.count / 10)) }
    var random = SystemRandomNumberGenerator()
    let id = [random.next(), random.next()].map { (part: UInt64) in
      String(part | 1 << 63, radix: 16)
    }.joined()
    let session = ChannelSession(id: id, route: route)
    let isOpen = state.withLock { state in
      guard state.sessions.count < limits.count else { return false }
      state.sessions[id] = session
      if state.checks == nil {
        state.checks = Task { [weak self] in
          while (try? await Task.sleep(for: Self.interval)) != nil, let self, self.check(now: .now)
          {}
        }
      }
      return true
    }
    guard isOpen else {
      throw StatusError(.resourceExhausted, "there are already \(limits.count) WebChannel sessions")
    }
    return session
  }

  /// Returns the open session with an id and the route that opened it.
  ///
  /// - Throws: `INVALID_ARGUMENT` if there is none. Clients look for the words "Unknown SID", and
  ///   open another session.
  func session(_ id: String, route: String) throws(StatusError) -> ChannelSession {
    guard let session = state.withLock({ $0.sessions[id] }), session.route == route else {
      throw StatusError(.invalidArgument, "Unknown SID: the session doesn't exist or has ended")
    }
    return session
  }

  func close(_ session: ChannelSession) {
    state.withLock { _ = $0.sessions.removeValue(forKey: session.id) }
    session.close()
  }

  /// Sends noops, and ends sessions without a back channel.
  ///
  /// - Returns: `false` if there are no sessions, so that checks end.
  func check(now: ContinuousClock.Instant) -> Bool {
    for session in state.withLock({ Array($0.sessions.values) }) {
      session.keepAlive(now: now)
      if let absence = session.absence, now - absence.since >= limits.absence { close(session) }
    }
    reduce(absentSessions.map { ($0.session, $0.absence.byteCount) })
    // The sessions with the most unread messages of their clients are last.
    reduce(
      state.withLock { Array($0.sessions.values) }.map { ($0, $0.inbox.byteCount) }
        .sorted { $0.1 < $1.1 }
    )
    return state.withLock { state in
      if state.sessions.isEmpty { state.checks = nil }
      return !state.sessions.isEmpty
    }
  }

  /// Ends the last ones of some sessions while all together have too many bytes.
  private func reduce(_ sessions: [(session: ChannelSession, byteCount: Int)]) {
    var bytes = sessions.reduce(0) { $0 + $1.byteCount }
    for (session, byteCount) in sessions.reversed() {
      guard bytes > limits.unreadBytes else { return }
      bytes -= byteCount
      close(session)
    }
  }

  private func endAbsent(_ count: Int) {
    for (session, _) in absentSessions.suffix(count) { close(session) }
  }

  /// The sessions without a back channel. The one with the longest absence is last.
  private var absentSessions: [(session: ChannelSession, absence: ChannelSession.Absence)] {
    state.withLock { Array($0.sessions.values) }
      .compactMap { session in session.absence.map { (session, $0) } }
      .sorted { $0.absence.since > $1.absence.since }
  }
}
