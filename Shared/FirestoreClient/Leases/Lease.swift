package import FirestoreModel

/// A lease: the exclusive right of one invocation to do some work until a time. It is stored as a
/// document `leases/{key}`.
package struct Lease: Sendable {
  package let name: DocumentName
  /// The time by which its holder must finish the exclusive work. `Leases.reserve` is then left for
  /// writing the result.
  package let deadline: ContinuousClock.Instant
  /// The last reading of Firestore's clock by the holder.
  package let clock: ClockReading
  /// The update time of the holder's last write; if it differs, the lease was lost.
  let updateTime: Timestamp

  /// The write that releases the lease, unless it was lost.
  package var release: Write {
    Write(.delete(name), currentDocument: .updateTime(updateTime))
  }

  /// The write that deletes the lease, whoever holds it now.
  ///
  /// Use it only in a commit that also writes the result: nobody does the work again then, since
  /// acquiring a lease checks that the result doesn't exist.
  package var end: Write { Write(.delete(name)) }
}
