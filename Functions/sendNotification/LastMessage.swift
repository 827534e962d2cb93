import Chat
import FirestoreModel

/// The conversation's `lastMessage`, `lastMessageAt` and `lastMessageId`, which move forward only.
enum LastMessage {
  /// - Returns: nil if the conversation already shows the newest message or a later one, or there
  ///   is none with a time.
  static func write(for newest: NewestMessages, in conversation: Document) -> Write? {
    guard let last = newest.last, let timestamp = last.timestamp else { return nil }
    let id = last.document.name.id
    if let shown = conversation.fields["lastMessageAt"]?.timestampValue {
      guard shown <= timestamp else { return nil }
      let shownID = conversation.fields["lastMessageId"]?.stringValue
      // Of one instant, only a message that was looked at is known to be earlier.
      if shown == timestamp, let shownID, shownID == id || !newest.contains(id: shownID) {
        return nil
      }
    }
    let fields: Fields = [
      "lastMessage": .string(last.text),
      "lastMessageAt": .timestamp(timestamp),
      "lastMessageId": .string(id),
    ]
    return Write(
      .update(Document(name: conversation.name, fields: fields)),
      updateMask: FieldMask(fields.keys.sorted().map { FieldPath($0) }),
      currentDocument: conversation.updateTime.map(Precondition.updateTime)
    )
  }
}
