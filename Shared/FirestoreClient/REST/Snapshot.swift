package import FirestoreModel

/// The state of documents at one instant.
package struct Snapshot: Sendable {
  /// The documents that exist.
  package let documents: [DocumentName: Document]
  /// The reading of Firestore's clock that tells the instant.
  package let clock: ClockReading
  /// The names that were read, whether the documents exist or not.
  private let names: Set<DocumentName>

  /// - Parameter names: The names that were read. Those in `documents` needn't be among them.
  package init(
    of names: some Sequence<DocumentName> = [],
    documents: [DocumentName: Document],
    clock: ClockReading
  ) {
    self.names = Set(names).union(documents.keys)
    self.documents = documents
    self.clock = clock
  }

  /// Returns whether the document was read, so that the snapshot says whether it exists.
  package func covers(_ name: DocumentName) -> Bool { names.contains(name) }

  /// Returns this snapshot with the documents of a later one added. The result's instant is that of
  /// this snapshot.
  ///
  /// The state of an added document may be newer than that instant. Preconditions are right for all
  /// documents, because each has the update time of its own read.
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

  /// Returns a precondition that fails if the document was written after it was read.
  package func precondition(of name: DocumentName) -> Precondition {
    documents[name]?.updateTime.map(Precondition.updateTime) ?? .exists(false)
  }
}

/// A reading of Firestore's clock, and the time of this process's clock when it was taken.
///
/// The clocks of machines differ. So times on which several machines must agree, such as the expiry
/// of a lease, are times of Firestore's clock.
package struct ClockReading: Sendable {
  package let time: Timestamp
  private let instant: ContinuousClock.Instant

  /// - Parameter instant: The time of this process's clock just before the request whose response
  ///   contains `time` was sent.
  package init(_ time: Timestamp, askedAt instant: ContinuousClock.Instant) {
    self.time = time
    self.instant = instant
  }

  /// Returns the time of Firestore's clock at an instant of this process's clock. The result may be
  /// too late, by at most the duration of a request, but never too early.
  package func time(at instant: ContinuousClock.Instant) -> Timestamp {
    time.advanced(by: self.instant.duration(to: instant))
  }
}
