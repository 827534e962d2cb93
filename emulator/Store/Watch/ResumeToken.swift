package import Core
package import FirestoreModel

/// The resume token of a listener: it identifies the state that the listener has received.
///
/// Clients receive the token as bytes. Only the run of the store that made it can resume from it.
package struct ResumeToken: Hashable, Sendable {
  /// The random number of the store's run that made the token.
  package let run: UInt64
  package let time: Timestamp

  package init(run: UInt64, time: Timestamp) {
    self.run = run
    self.time = time
  }

  /// Creates a token from its bytes, or returns `nil` for bytes that can't be a token.
  package init?(_ bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let numbers = [bytes.prefix(8), bytes.suffix(8)].map { part in
      part.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    run = numbers[0]
    time = Timestamp(microseconds: Int64(bitPattern: numbers[1]))
    // A time outside Firestore's range can't be compared with other times.
    guard time.isInFirestoreRange else { return nil }
  }

  package var bytes: Data {
    var bytes = Data()
    for number in [run, UInt64(bitPattern: time.microseconds)] {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
