import Chat
import Core
import FirestoreModel

/// The conversation's `lastMessage`, `lastMessageAt` and `lastMessageId`, which move forward only,
/// unless the message they show is gone.
enum LastMessage {
  private static let names = ["lastMessage", "lastMessageAt", "lastMessageId"]

  /// - Returns: nil if the conversation already shows the newest message or a later one, or there
  ///   is none with a time.
  static func write(for newest: NewestMessages, in conversation: Document) -> Write? {
    guard let last = newest.last, let timestamp = last.timestamp else { return nil }
    let id = last.document.name.id
    if let shown = conversation.fields["lastMessageAt"]?.timestampValue {
      guard shown <= timestamp else { return nil }
      let shownID = conversation.fields["lastMessageId"]?.documentID
      // Of one instant, only a message that was looked at is known to be earlier.
      if shown == timestamp, let shownID, shownID == id || !newest.contains(id: shownID) {
        return nil
      }
    }
    return write(fields(of: last), in: conversation)
  }

  /// The same with a condition: a message that was deleted meanwhile isn't shown.
  static func writes(for newest: NewestMessages, in conversation: Document) -> [Write] {
    guard let last = newest.last, let write = write(for: newest, in: conversation) else {
      return []
    }
    return [write, Write(.verify(last.document.name), currentDocument: .exists(true))]
  }

  /// What an edit or a deletion leaves to do: the newest message is shown as it is now, and in place
  /// of one that is gone the one before it, or none.
  static func repairs(
    after changed: DocumentName,
    isGone: Bool,
    newest: NewestMessages,
    in conversation: Document
  ) -> [Write] {
    let isShown = conversation.fields["lastMessageId"] == .string(changed.id)
    let last = newest.last
    // Another message's own event moves it forward.
    guard isGone ? isShown : last?.document.name == changed else { return [] }
    if !isShown { return writes(for: newest, in: conversation) }
    let fields = last.map(fields) ?? [:]
    guard names.contains(where: { conversation.fields[$0] != fields[$0] }) else { return [] }
    let check = last.flatMap { last in
      last.document.updateTime.map {
        Write(.verify(last.document.name), currentDocument: .updateTime($0))
      }
    }
    return [write(fields, in: conversation), check].compactMap(\.self)
  }

  private static func fields(of last: Message) -> Fields {
    var fields: Fields = [
      "lastMessage": .string(last.text), "lastMessageId": .string(last.document.name.id),
    ]
    fields["lastMessageAt"] = last.timestamp.map(Value.timestamp)
    return fields
  }

  private static func write(_ fields: Fields, in conversation: Document) -> Write {
    Write(
      .update(Document(name: conversation.name, fields: fields)),
      updateMask: FieldMask(names.map { FieldPath($0) }),
      currentDocument: conversation.updateTime.map(Precondition.updateTime)
    )
  }
}
