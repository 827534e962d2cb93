package import FirestoreModel

/// The right of one invocation to do something alone until a time: a document `leases/{key}`.
package struct Lease: Sendable {
  package let name: DocumentName
  /// When its holder must be done with what it does alone. What came of it can still be written
  /// down then: `Leases.reserve` is left.
  package let deadline: ContinuousClock.Instant
  /// Firestore's clock, as the holder last saw it.
  package let clock: ClockReading
  /// The document as the holder wrote it; another time means that the lease was lost.
  let updateTime: Timestamp

  /// The write that gives it back, unless it was lost.
  package var release: Write {
    Write(.delete(name), currentDocument: .updateTime(updateTime))
  }

  /// The write that ends it, whoever holds it now.
  ///
  /// Only for a commit that makes what the lease is about: nobody does it again then, since whoever
  /// acquires the lease asks for it not to be there.
  package var end: Write { Write(.delete(name)) }
}
