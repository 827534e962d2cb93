package import Core
package import FirestoreModel

/// The leases of one invocation. A lease gives the invocation the exclusive right to do work that
/// several invocations need, such as paying for a translation.
///
/// The holder of a lease does the work, and the others wait for the result. A lease expires at a
/// time of Firestore's clock, so that a holder that was killed blocks others only until then. A
/// holder stops at the lease's `deadline`, which is earlier, so that two holders never work at
/// once. Each method that writes makes one commit.
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
  ///   - holder: An ID that is unique to this invocation. Another delivery of the same event needs
  ///     another ID.
  ///   - duration: The duration of a lease. It is shorter if the invocation's deadline is earlier.
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

  /// Returns the ID of a holder in a process that the emulator started. From the ID, the emulator
  /// recognizes the leases of an earlier run, whose processes have ended.
  ///
  /// - Parameters:
  ///   - id: An ID that is unique to the invocation.
  ///   - run: The emulator's run, from the variable INVOCATION_RUN, or `nil` in the cloud.
  package static func holder(_ id: String, of run: String?) -> String {
    run.map { holderPrefix(of: $0) + id } ?? id
  }

  /// The beginning of the IDs of all holders that an emulator's run has started.
  package static func holderPrefix(of run: String) -> String { "\(run)/" }

  /// The ID of the collection of leases.
  package static let collection = "leases"

  package func name(_ key: String) throws(StatusError) -> DocumentName {
    try firestore.name("\(Self.collection)/\(key)")
  }

  // MARK: Checking

  /// Returns the remaining time of another holder's lease at a snapshot's time, or `nil` if there
  /// is no such lease or it has expired.
  package func timeLeft(of name: DocumentName, in snapshot: Snapshot) -> Duration? {
    // A lease that this holder has itself counts as free. It exists if the response to the commit
    // that acquired it was lost.
    guard let fields = snapshot[name]?.fields, fields["holder"] != .string(holder),
      let end = fields["expiresAt"]?.timestampValue, end > snapshot.readTime
    else { return nil }
    return end.duration(since: snapshot.readTime)
  }

  /// Returns the delays between reads of a result that another holder is working on.
  package func polling(until deadline: ContinuousClock.Instant) -> Polling {
    Polling(until: deadline, random: random)
  }

  /// A Boolean value that indicates whether a lease acquired now would last its full duration
  /// before the invocation's deadline.
  package var hasTimeForAnother: Bool { ContinuousClock.now.duration(to: deadline) >= duration }

  // MARK: Acquiring

  /// Acquires several leases, all of them or none.
  ///
  /// - Parameters:
  ///   - names: The names of the leases to acquire. For each, `timeLeft` must be `nil` in the
  ///     snapshot. A lease that the snapshot doesn't cover is expected not to exist.
  ///   - documents: The documents that the work will write. If one has changed since the snapshot,
  ///     another holder has done the work, and no lease is acquired.
  ///   - factor: The factor by which a lease's duration is multiplied, for longer work.
  ///   - writes: Further writes of the same commit.
  /// - Returns: The leases by name, or `nil` if a lease or document has changed since the snapshot
  ///   or a precondition of the writes isn't met. In that case take a new snapshot.
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
  ///   met. In that case nothing is written.
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

  /// Releases leases after work without a result, so that other invocations needn't wait until the
  /// leases expire.
  ///
  /// Errors are ignored, because leases expire anyway.
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
