import Chat
import Core
import FirestoreModel

/// The ledger of the cached translations that a message has stopped using,
/// `functionEvents/translateMessage_{key}`.
///
/// A message may use a cache entry several times, one after another. The time at which the message
/// got the translation identifies the use.
struct ReleaseLedger {
  /// The time after which the ledger expires. Events are redelivered for a day at most.
  private static let lifetime = Duration.seconds(7 * 86_400)

  private let name: DocumentName
  private let document: Document?

  static func path(of message: DocumentName) -> String {
    "functionEvents/translateMessage_\(ContentHash.document(message.path.description))"
  }

  init(name: DocumentName, document: Document?) {
    self.name = name
    self.document = document
  }

  func contains(_ time: Timestamp, of entry: DocumentName) -> Bool {
    document?.fields["ended"]?.mapValue?[entry.id]?.arrayValue?.contains(.timestamp(time)) ?? false
  }

  /// Returns the write that adds ended uses, on condition that no other delivery has changed the
  /// ledger since it was read.
  ///
  /// - Parameter ended: the times that identify the uses, by cache entry.
  func write(
    _ ended: [DocumentName: [Timestamp]],
    message: DocumentName,
    now: Timestamp
  ) -> Write {
    let fields: Fields = [
      "function": "translateMessage",
      "document": .string(message.path.description),
      "expiresAt": .timestamp(now.advanced(by: Self.lifetime)),
    ]
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(fields.keys.sorted().map { FieldPath($0) }),
      updateTransforms: ended.sorted { $0.key.id < $1.key.id }.map { entry, times in
        FieldTransform(
          FieldPath("ended", entry.id),
          .appendMissingElements(times.sorted().map(Value.timestamp))
        )
      },
      currentDocument: document?.updateTime.map(Precondition.updateTime) ?? .exists(false)
    )
  }
}
