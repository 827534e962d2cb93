package import Core
package import FirestoreModel

/// Who does alone what must happen once, such as to pay for a translation that several need.
///
/// Whoever acquires a lease does the work, the others wait for what comes of it. A lease ends by
/// itself, by Firestore's clock: a holder that was killed holds up nobody for longer. A holder stops
/// before that, at the lease's `deadline`, so that two are never at work at once. Each step is one
/// commit.
package struct Leases: Sendable {
  /// What a lease leaves of itself for writing down what came of the work.
  package static let reserve = Duration.milliseconds(500)

  private let firestore: FirestoreClient
  private let holder: String
  private let duration: Duration
  private let deadline: ContinuousClock.Instant
  private let random: @Sendable () -> UInt64

  /// The leases of one invocation.
  ///
  /// - Parameters:
  ///   - holder: an id that nobody else has, not even the same event delivered again.
  ///   - duration: of a lease, unless the invocation ends earlier.
  ///   - deadline: the invocation's.
  package init(
    firestore: FirestoreClient,
    holder: String,
    duration: Duration,
    deadline: ContinuousClock.Instant,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.firestore = firestore
    self.holder = holder
    self.duration = duration
    self.deadline = deadline
    self.random = random
  }

  /// The collection leases are in.
  package static let collection = "leases"

  package func name(_ key: String) throws(StatusError) -> DocumentName {
    try firestore.name("\(Self.collection)/\(key)")
  }

  // MARK: Looking

  /// How long another's lease lasts from a snapshot on; nil if there is none, or it has ended.
  package func timeLeft(of name: DocumentName, in snapshot: Snapshot) -> Duration? {
    // One of ours is there if the answer to its commit was lost.
    guard let fields = snapshot[name]?.fields, fields["holder"] != .string(holder),
      let end = fields["expiresAt"]?.timestampValue, end > snapshot.readTime
    else { return nil }
    return end.duration(since: snapshot.readTime)
  }

  /// The waits of one who reads again until another is done.
  package func polling(until deadline: ContinuousClock.Instant) -> Polling {
    Polling(until: deadline, random: random)
  }

  /// Whether a lease that begins now lasts its full time, before the invocation's ends.
  package var hasTimeForAnother: Bool { ContinuousClock.now.duration(to: deadline) >= duration }

  // MARK: Having

  /// Takes leases, all or none.
  ///
  /// - Parameters:
  ///   - names: leases without `timeLeft` in the snapshot. One that wasn't read counts as missing.
  ///   - documents: what the work is to make, as the snapshot has it: if it isn't so any more,
  ///     somebody else has just done it.
  ///   - factor: for work that takes so many times the usual.
  ///   - writes: what else is written in the same commit, or not either.
  /// - Returns: the leases by name; nil if something changed since the snapshot, or a condition of
  ///   the writes isn't met, so that it must be read again.
  package func acquire(
    _ names: [DocumentName],
    ifUnchanged documents: [DocumentName],
    since snapshot: Snapshot,
    times factor: Int = 1,
    writing writes: [Write] = []
  ) async throws(StatusError) -> [DocumentName: Lease]? {
    let now = ContinuousClock.now
    let duration = min(duration * factor, now.duration(to: deadline))
    let claims = names.map {
      claim($0, until: snapshot.clock.time(at: now + duration), snapshot.precondition(of: $0))
    }
    let checks = documents.map {
      Write(.verify($0), currentDocument: snapshot.precondition(of: $0))
    }
    guard let commit = try await commit(claims + checks + writes) else { return nil }
    let times = (commit.response.writeResults ?? []).map(\.updateTime)
    var leases: [DocumentName: Lease] = [:]
    for (name, time) in zip(names, times) {
      leases[name] = Lease(
        name: name,
        deadline: now + duration - Self.reserve,
        clock: commit.clock,
        updateTime: time ?? commit.clock.time
      )
    }
    return leases
  }

  /// Commits writes as the holder of a lease, which lasts its full time again.
  ///
  /// - Returns: nil if the lease was lost, or another condition of the writes isn't met; nothing is
  ///   written then.
  package func commit(
    _ writes: [Write],
    extending lease: Lease
  ) async throws(StatusError) -> Lease? {
    let now = ContinuousClock.now
    let duration = min(duration, now.duration(to: deadline))
    let end = lease.clock.time(at: now + duration)
    let claim = claim(lease.name, until: end, .updateTime(lease.updateTime))
    guard let commit = try await commit([claim] + writes) else { return nil }
    return Lease(
      name: lease.name,
      deadline: now + duration - Self.reserve,
      clock: commit.clock,
      updateTime: commit.response.writeResults?.first?.updateTime ?? commit.clock.time
    )
  }

  /// Gives leases back without a result, so that others needn't wait for their end.
  ///
  /// That it failed, or that one was lost, is not told: they end by themselves.
  package func release(_ leases: [Lease]) async {
    guard !leases.isEmpty else { return }
    _ = try? await firestore.commit(leases.map(\.release))
  }

  private func claim(
    _ name: DocumentName,
    until end: Timestamp,
    _ precondition: Precondition
  ) -> Write {
    let fields: Fields = ["holder": .string(holder), "expiresAt": .timestamp(end)]
    return Write(.update(Document(name: name, fields: fields)), currentDocument: precondition)
  }

  private struct Commit {
    var response: CommitResponse
    var clock: ClockReading
  }

  private func commit(_ writes: [Write]) async throws(StatusError) -> Commit? {
    let start = ContinuousClock.now
    do throws(StatusError) {
      let response = try await firestore.commit(writes)
      return Commit(
        response: response,
        clock: ClockReading(response.commitTime, askedAt: start)
      )
    } catch {
      guard error.isConflict else { throw error }
      return nil
    }
  }
}
