import Chat
import FirestoreModel

/// How many messages a reader hasn't seen, counted from the newest ones.
///
/// Counted anew each time and never incremented: however often an event is delivered, and in
/// whatever order, the number is right.
struct UnreadCounts {
  /// Older messages aren't looked at: nobody reads a badge beyond it.
  static let window = 100

  /// The newest messages of a conversation.
  static func query(_ paths: ChatPaths) -> StructuredQuery {
    StructuredQuery(
      from: paths.messageCollection,
      orderBy: [.init(FieldPath("timestamp"), .descending)],
      limit: window,
      select: [FieldPath("senderId"), FieldPath("readBy")]
    )
  }

  private let messages: [Message]

  /// - Parameters:
  ///   - newest: what the query found.
  ///   - message: the one to notify of; without a timestamp it isn't among the newest.
  init(newest: [Document], including message: Message) {
    var messages = newest.map(Message.init)
    if !messages.contains(where: { $0.document.name == message.document.name }) {
      messages.append(message)
    }
    self.messages = messages
  }

  /// A reader's own messages don't count.
  func unread(by uid: String) -> Int {
    messages.count { $0.senderID != uid && !$0.readBy.contains(uid) }
  }
}
