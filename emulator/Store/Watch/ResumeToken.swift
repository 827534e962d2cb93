package import Core
package import FirestoreModel

/// The resume token of a listener: the state of the data that it has seen.
///
/// Clients get it as bytes, which only the same run of the store accepts.
package struct ResumeToken: Hashable, Sendable {
  /// The run of the store that made the token.
  package let run: UInt64
  package let time: Timestamp

  package init(run: UInt64, time: Timestamp) {
    self.run = run
    self.time = time
  }

  /// Creates a token from its bytes, or returns `nil` for bytes that no store has made.
  package init?(_ bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let numbers = [bytes.prefix(8), bytes.suffix(8)].map { part in
      part.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    run = numbers[0]
    time = Timestamp(microseconds: Int64(bitPattern: numbers[1]))
    // A time outside Firestore's range can't be compared with others.
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
