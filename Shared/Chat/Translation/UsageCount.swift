import Core
import Cryptography
package import FirestoreModel

/// An approximate counter of a cache entry's uses, in the field `usageCount`.
///
/// Firestore supports about one write a second to a document, and all messages with the text "ok"
/// share one entry. So the first uses are counted exactly. Of further uses, only a sample is
/// written. Each written use counts for several, so that the expected count is right. A phrase that
/// has been in use for t seconds causes at most 16/t writes a second, however often it is used. In
/// expectation, n uses cause at most 16·log₂(n) writes.
package enum UsageCount {
  /// The largest count that is exact.
  package static let exactLimit: Int64 = 16

  private static let field = "usageCount"

  /// Returns an entry's count, or 0 if the field isn't an integer.
  static func of(_ entry: Document) -> Int64 { entry.fields[field]?.integerValue ?? 0 }

  /// Returns the transform that adds an amount, which may be negative, to a count.
  static func adding(_ amount: Int64) -> FieldTransform {
    FieldTransform(FieldPath(field), .increment(.integer(amount)))
  }

  /// Returns the write that removes a use, or the whole entry with its last use.
  ///
  /// - Returns: the write, or `nil` if the entry stays unchanged, because its count isn't exact or
  ///   the entry belongs to another text.
  package static func endingUse(of entry: Document, _ text: String) -> Write? {
    let count = of(entry)
    let isOfText = entry.fields["sourceText"].map {
      $0.stringValue?.hasSameBytes(as: text) == true
    }
    guard count <= exactLimit, isOfText != false else { return nil }
    let precondition = entry.updateTime.map(Precondition.updateTime)
    guard count > 1 else { return Write(.delete(entry.name), currentDocument: precondition) }
    return Write(
      .update(Document(name: entry.name, fields: [:])),
      updateMask: FieldMask([]),
      updateTransforms: [adding(-1)],
      currentDocument: precondition
    )
  }

  /// Returns the amount that one more use adds to a count: usually 0 if the count is high.
  ///
  /// The choice is pseudorandom and repeatable: a redelivered or replayed event makes the same
  /// choice.
  ///
  /// - Parameter user: the identifier of the use, such as a message's path.
  static func increment(at count: Int64, of entry: DocumentName, by user: String) -> Int64 {
    let step = step(at: count)
    guard step > 1 else { return 1 }
    let digest = SHA256.digest("\(entry.id)|\(user)".utf8).prefix(8)
    let number = digest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number.isMultiple(of: UInt64(step)) ? step : 0
  }

  /// Returns the sampling interval: the largest power of two up to an eighth of the count.
  private static func step(at count: Int64) -> Int64 {
    let eighth = max(1, count / 8)
    return 1 << (Int64.bitWidth - 1 - eighth.leadingZeroBitCount)
  }
}
