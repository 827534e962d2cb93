package import FirestoreModel

/// The state of documents at one instant.
package struct Snapshot: Sendable {
  /// The documents that exist.
  package let documents: [DocumentName: Document]
  /// Firestore's time at the instant.
  package let clock: ClockReading
  /// The names that were read, whether the documents exist or not.
  private let names: Set<DocumentName>

  /// Creates a snapshot.
  ///
  /// - Parameter names: The names that were read; those of `documents` are added.
  package init(
    of names: some Sequence<DocumentName> = [],
    documents: [DocumentName: Document],
    clock: ClockReading
  ) {
    self.names = Set(names).union(documents.keys)
    self.documents = documents
    self.clock = clock
  }

  /// Returns whether the snapshot says if a document exists.
  package func covers(_ name: DocumentName) -> Bool { names.contains(name) }

  /// Merges a later snapshot into this one, and returns a snapshot of this instant.
  ///
  /// Documents of this snapshot were so at this instant, those of the later one at a later instant.
  /// Each keeps the precondition of its own read.
  func adding(_ later: Snapshot) -> Snapshot {
    Snapshot(
      of: names.union(later.names),
      documents: documents.merging(later.documents) { _, later in later },
      clock: clock
    )
  }

  /// The document, or `nil` if it doesn't exist or wasn't read.
  package subscript(name: DocumentName) -> Document? { documents[name] }

  /// The instant by Firestore's clock.
  package var readTime: Timestamp { clock.time }

  /// Returns a precondition that holds as long as the document isn't written.
  package func precondition(of name: DocumentName) -> Precondition {
    documents[name]?.updateTime.map(Precondition.updateTime) ?? .exists(false)
  }
}

/// A reading of Firestore's clock, with the instant of this process's clock.
///
/// The clocks of machines differ. Times on which several machines must agree, such as the end of a
/// lease, are therefore measured by Firestore's clock.
package struct ClockReading: Sendable {
  package let time: Timestamp
  private let instant: ContinuousClock.Instant

  /// Creates a reading.
  ///
  /// - Parameter instant: An instant before the request whose response contains the time.
  package init(_ time: Timestamp, askedAt instant: ContinuousClock.Instant) {
    self.time = time
    self.instant = instant
  }

  /// Returns Firestore's time at an instant. It may be late by up to a round trip, but never early.
  package func time(at instant: ContinuousClock.Instant) -> Timestamp {
    time.advanced(by: self.instant.duration(to: instant))
  }
}
