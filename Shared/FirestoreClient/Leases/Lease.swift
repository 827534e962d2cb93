package import FirestoreModel

/// A lease: the exclusive right of one invocation to do some work until the lease expires. It is
/// stored as the document `leases/{key}`.
package struct Lease: Sendable {
  package let name: DocumentName
  /// The time by which the holder must finish the exclusive work. It is earlier than the lease's
  /// expiry by `Leases.reserve`, so that the holder can still write the result.
  package let deadline: ContinuousClock.Instant
  /// The reading of Firestore's clock at the holder's last commit.
  package let clock: ClockReading
  /// The update time of the lease's document after the holder's last write. If the document has
  /// another one, the lease was lost.
  let updateTime: Timestamp

  /// The write that releases the lease. It fails if the lease was lost.
  package var release: Write {
    Write(.delete(name), currentDocument: .updateTime(updateTime))
  }

  /// The write that deletes the lease, even if another invocation holds it now.
  ///
  /// Use it only in a commit that also writes the result. After that commit the work isn't done
  /// again, because acquiring a lease requires that the result doesn't exist.
  package var end: Write { Write(.delete(name)) }
}
