import Chat
import Core
import FirestoreModel
import Providers

/// The fields of an inbox that show the last message by others, in the reader's language.
///
/// `lastMessageId` is the message's id, `lastMessage` its text, and `textHash` the SHA-256 of the
/// text that `lastMessage` was made from. A list of conversations shows this `lastMessage` if the
/// conversation has the same `lastMessageId`, and the conversation's own otherwise.
struct InboxPreview: Equatable {
  static let names = ["lastMessage", "lastMessageId", "textHash"]

  let fields: Fields

  /// Creates the fields of a reader.
  ///
  /// - Parameters:
  ///   - newest: the conversation's newest messages. If they include none by others because the
  ///     reader has read all of those, the fields stay as they are.
  ///   - known: the stored inbox.
  ///   - texts: the translated texts of messages, by message id.
  init(
    of newest: NewestMessages,
    for uid: String,
    in conversation: Conversation,
    known: Document?,
    texts: [ByteKey: TranslatedTexts]
  ) {
    guard let last = newest.last(for: uid, in: conversation) else {
      let kept = newest.isPart ? known?.fields ?? [:] : [:]
      fields = kept.filter { Self.names.contains($0.key.string) }
      return
    }
    let id = last.document.name.id
    let texts = texts[ByteKey(id)].flatMap { $0.isCurrent(last) ? $0 : nil }
    var text: Value?
    if texts?.isFinal(for: uid) != true, Self.isShown(last, in: known) {
      // A translation that was stored before is better than none.
      text = known?.fields["lastMessage"]
    }
    let words = texts?.text(for: uid)?.text ?? LastMessage.text(of: last)
    fields = [
      "lastMessage": text ?? .string(words.cut(toBytes: NotificationContent.maximumBodyBytes)),
      "lastMessageId": .string(id),
      "textHash": .string(ContentHash.text(last.text)),
    ]
  }

  /// Returns whether an inbox shows a message with its current text.
  static func isShown(_ last: Message, in inbox: Document?) -> Bool {
    guard let fields = inbox?.fields, fields["lastMessage"]?.stringValue != nil else {
      return false
    }
    return fields["lastMessageId"] == .string(last.document.name.id)
      && fields["textHash"] == .string(ContentHash.text(last.text))
  }
}
