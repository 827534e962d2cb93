package import Core
package import FirestoreModel

/// The leases of one invocation, which give it the exclusive right to do work once, such as to pay
/// for a translation that several invocations need.
///
/// The holder of a lease does the work, and the others wait for the result. A lease expires by
/// Firestore's clock, so that a holder that was killed doesn't block others for longer. A holder
/// stops at the lease's `deadline`, which is earlier, so that two never work at once. Each step is
/// one commit.
package struct Leases: Sendable {
  /// The time between a lease's deadline and its expiry, for writing the result.
  package static let reserve = Duration.milliseconds(500)

  private let firestore: FirestoreClient
  private let holder: String
  private let duration: Duration
  private let deadline: ContinuousClock.Instant
  private let random: @Sendable () -> UInt64

  /// Creates the leases of one invocation.
  ///
  /// - Parameters:
  ///   - holder: A unique ID; it must differ even for another delivery of the same event.
  ///   - duration: The duration of a lease, unless the invocation ends earlier.
  ///   - deadline: The deadline of the invocation.
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

  /// The ID of the collection of leases.
  package static let collection = "leases"

  package func name(_ key: String) throws(StatusError) -> DocumentName {
    try firestore.name("\(Self.collection)/\(key)")
  }

  // MARK: Checking

  /// Returns the remaining time of another holder's lease at a snapshot's time, or `nil` if there
  /// is no such lease or it has expired.
  package func timeLeft(of name: DocumentName, in snapshot: Snapshot) -> Duration? {
    // A lease of our own exists if the response to its commit was lost.
    guard let fields = snapshot[name]?.fields, fields["holder"] != .string(holder),
      let end = fields["expiresAt"]?.timestampValue, end > snapshot.readTime
    else { return nil }
    return end.duration(since: snapshot.readTime)
  }

  /// Returns the delays between reads while another holder works.
  package func polling(until deadline: ContinuousClock.Instant) -> Polling {
    Polling(until: deadline, random: random)
  }

  /// A Boolean value that indicates whether a lease that begins now lasts its full duration before
  /// the invocation's deadline.
  package var hasTimeForAnother: Bool { ContinuousClock.now.duration(to: deadline) >= duration }

  // MARK: Acquiring

  /// Acquires all of the leases or none.
  ///
  /// - Parameters:
  ///   - names: The leases to acquire, none with `timeLeft` in the snapshot. One that wasn't read
  ///     counts as missing.
  ///   - documents: The documents that the work will write. If one has changed since the snapshot,
  ///     another holder has just written it.
  ///   - factor: The factor by which the leases last longer, for longer work.
  ///   - writes: Further writes of the same commit.
  /// - Returns: The leases by name, or `nil` if something has changed since the snapshot or a
  ///   precondition of the writes isn't met; then read again.
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

  /// Commits writes as the holder of a lease, and extends the lease to its full duration.
  ///
  /// - Returns: The extended lease, or `nil` if the lease was lost or another precondition isn't
  ///   met; nothing is written then.
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

  /// Releases leases without a result, so that others needn't wait until they expire.
  ///
  /// Errors are ignored, also for a lost lease, since leases expire anyway.
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
