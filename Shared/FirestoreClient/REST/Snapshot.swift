package import FirestoreModel

/// What documents were at one instant.
package struct Snapshot: Sendable {
  /// Those that exist.
  package let documents: [DocumentName: Document]
  /// When it was so.
  package let clock: ClockReading
  /// What was asked for, whether it exists or not.
  private let names: Set<DocumentName>

  /// - Parameter names: what was asked for; the documents' names needn't be among them.
  package init(
    of names: some Sequence<DocumentName> = [],
    documents: [DocumentName: Document],
    clock: ClockReading
  ) {
    self.names = Set(names).union(documents.keys)
    self.documents = documents
    self.clock = clock
  }

  /// Whether it tells if a document exists.
  package func covers(_ name: DocumentName) -> Bool { names.contains(name) }

  /// Both together, as of the earlier instant: what this one says was so then, and what the later one
  /// says was so afterwards. Each document has the precondition of when it was read.
  func adding(_ later: Snapshot) -> Snapshot {
    Snapshot(
      of: names.union(later.names),
      documents: documents.merging(later.documents) { _, later in later },
      clock: clock
    )
  }

  /// nil if there is none, or it wasn't asked for.
  package subscript(name: DocumentName) -> Document? { documents[name] }

  /// The same instant by Firestore's clock.
  package var readTime: Timestamp { clock.time }

  /// What is true of a document as long as nobody writes it.
  package func precondition(of name: DocumentName) -> Precondition {
    documents[name]?.updateTime.map(Precondition.updateTime) ?? .exists(false)
  }
}

/// What Firestore's clock showed, and when that was by this process's.
///
/// The clocks of machines differ: whatever several of them must agree on, such as when a lease
/// ends, is reckoned by the one they share.
package struct ClockReading: Sendable {
  package let time: Timestamp
  private let instant: ContinuousClock.Instant

  /// - Parameter instant: before the request whose answer told the time.
  package init(_ time: Timestamp, askedAt instant: ContinuousClock.Instant) {
    self.time = time
    self.instant = instant
  }

  /// Firestore's time at an instant, or up to a round trip later: never earlier.
  package func time(at instant: ContinuousClock.Instant) -> Timestamp {
    time.advanced(by: self.instant.duration(to: instant))
  }
}
