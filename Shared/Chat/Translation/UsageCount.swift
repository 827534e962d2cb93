import Core
import Cryptography
package import FirestoreModel

/// How the uses of a cache entry are counted: `usageCount`.
///
/// Firestore bears about one write a second of one document, and everybody's "ok" is one document.
/// So few uses are counted each, and of many only some, which then count for the others as well: the
/// expected count is right. Of a phrase that has been in use for t seconds, however often, at most
/// 16/t uses a second are written; n uses are 16·log₂(n) writes at most, in expectation.
package enum UsageCount {
  /// Up to here a count is exact.
  package static let exactLimit: Int64 = 16

  private static let field = "usageCount"

  /// The count an entry has; none for what is no count.
  static func of(_ entry: Document) -> Int64 { entry.fields[field]?.integerValue ?? 0 }

  /// The transform that adds uses, or takes some away.
  static func adding(_ amount: Int64) -> FieldTransform {
    FieldTransform(FieldPath(field), .increment(.integer(amount)))
  }

  /// What takes away a use that has ended: the whole entry, if it was its last.
  ///
  /// - Returns: nil if the entry is left as it is, since it has so many uses that they aren't counted
  ///   one by one, or isn't one of this text.
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

  /// What one more use adds to a count: most often nothing, if that is high.
  ///
  /// Chance decides, and the same chance each time: an event that is delivered again, or recorded,
  /// decides alike.
  ///
  /// - Parameter user: who uses it, such as a message's path.
  static func increment(at count: Int64, of entry: DocumentName, by user: String) -> Int64 {
    let step = step(at: count)
    guard step > 1 else { return 1 }
    let digest = SHA256.digest("\(entry.id)|\(user)".utf8).prefix(8)
    let number = digest.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number.isMultiple(of: UInt64(step)) ? step : 0
  }

  /// One of so many uses is written: the power of two that is an eighth of the count, or less.
  private static func step(at count: Int64) -> Int64 {
    let eighth = max(1, count / 8)
    return 1 << (Int64.bitWidth - 1 - eighth.leadingZeroBitCount)
  }
}
