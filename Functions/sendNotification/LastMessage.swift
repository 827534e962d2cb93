import Chat
import Core
import FirestoreModel

/// The writes of a conversation's fields `lastMessage…`, which a list of conversations shows.
///
/// These fields change to later messages only. If the message that they show is deleted, they show
/// the message before it, or none.
enum LastMessage {
  private static let names = [
    "lastMessage", "lastMessageAt", "lastMessageId", "lastMessageSenderId", "lastMessageType",
  ]

  /// Returns the write that shows the newest message.
  ///
  /// - Returns: The write, or `nil` if the conversation already shows this message or a later one,
  ///   or no message has a timestamp.
  static func write(for newest: NewestMessages, in conversation: Document) -> Write? {
    guard let last = newest.last, let timestamp = last.timestamp else { return nil }
    let id = last.document.name.id
    if let shown = conversation.fields["lastMessageAt"]?.timestampValue {
      guard shown <= timestamp else { return nil }
      let shownID = conversation.fields["lastMessageId"]?.documentID
      // At equal timestamps, a shown message stays if it wasn't queried: its order is unknown.
      if shown == timestamp, let shownID, shownID == id || !newest.contains(id: shownID) {
        return nil
      }
    }
    return write(fields(of: last), in: conversation)
  }

  /// Returns the write that shows the newest message, and one that verifies that the message still
  /// exists.
  static func writes(for newest: NewestMessages, in conversation: Document) -> [Write] {
    guard let last = newest.last, let write = write(for: newest, in: conversation) else {
      return []
    }
    return [write, Write(.verify(last.document.name), currentDocument: .exists(true))]
  }

  /// Returns the writes that an edit or a deletion requires.
  ///
  /// An edited newest message is shown with its new text. A deleted one is replaced by the message
  /// before it, or by none.
  static func repairs(
    after changed: DocumentName,
    isGone: Bool,
    newest: NewestMessages,
    in conversation: Document
  ) -> [Write] {
    let isShown = conversation.fields["lastMessageId"] == .string(changed.id)
    let last = newest.last
    // If another message is the newest, that message's own event shows it.
    guard isShown || !isGone && last?.document.name == changed else { return [] }
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

  /// Returns the text of a message, or the words for the kind of its attachment if it has no text.
  ///
  /// The words are in the message's language, because readers of several languages share the
  /// conversation's document.
  static func text(of last: Message) -> String {
    guard last.hasMedia, !last.hasText else { return last.text }
    return WordedBody.text(of: WordedBody.Media(of: last), in: last.language)
  }

  private static func fields(of last: Message) -> Fields {
    let media = last.hasMedia ? WordedBody.Media(of: last) : nil
    var fields: Fields = [
      "lastMessage": .string(text(of: last)),
      "lastMessageId": .string(last.document.name.id),
      "lastMessageType": .string(media?.rawValue ?? "text"),
    ]
    fields["lastMessageAt"] = last.timestamp.map(Value.timestamp)
    fields["lastMessageSenderId"] = last.senderID.map(Value.string)
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
