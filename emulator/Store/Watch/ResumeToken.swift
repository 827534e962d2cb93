package import Core
package import FirestoreModel

/// A state of the data that a listener has seen, as bytes that only their own store understands.
package struct ResumeToken: Hashable, Sendable {
  /// Whose: the run of the store.
  package let run: UInt64
  package let time: Timestamp

  package init(run: UInt64, time: Timestamp) {
    self.run = run
    self.time = time
  }

  /// - Returns: nil for bytes that no store has made.
  package init?(_ bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let numbers = [bytes.prefix(8), bytes.suffix(8)].map { part in
      part.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    run = numbers[0]
    time = Timestamp(microseconds: Int64(bitPattern: numbers[1]))
    // What isn't a time of this calendar would be no time to compare with.
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
