import Chat
import FirestoreModel

/// The conversation's `lastMessage`, `lastMessageAt` and `lastMessageId`, which move forward only.
enum LastMessage {
  /// Messages are ordered by time, and by id within one instant.
  ///
  /// - Returns: nil if the conversation already shows this message or a later one, or can't say.
  static func write(for message: Message, in conversation: Document) -> Write? {
    guard let timestamp = message.timestamp else { return nil }
    let id = message.document.name.id
    if let shown = conversation.fields["lastMessageAt"]?.timestampValue {
      let shownID = conversation.fields["lastMessageId"]?.stringValue ?? ""
      guard (shown, shownID) < (timestamp, id) else { return nil }
    }
    let fields: Fields = [
      "lastMessage": .string(message.text),
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
