import Chat
import FirestoreModel

/// The newest messages of a conversation, and what follows from them for its readers.
///
/// Counted anew each time and never incremented: however often an event is delivered, and in
/// whatever order, the numbers are right.
struct NewestMessages {
  /// Older messages aren't looked at: nobody reads a badge beyond it.
  static let window = 100

  static func query(_ paths: ChatPaths) -> StructuredQuery {
    StructuredQuery(
      from: paths.messageCollection,
      orderBy: [.init(FieldPath("timestamp"), .descending)],
      limit: window,
      select: ["senderId", "readBy", "text", "timestamp", "clientTimestamp"].map {
        FieldPath($0)
      }
    )
  }

  private let messages: [Message]

  /// - Parameters:
  ///   - found: what the query found.
  ///   - message: the one to notify of; without a timestamp the query doesn't find it.
  init(_ found: [Document], including message: Message) {
    var messages = found.map(Message.init)
    if !messages.contains(where: { $0.document.name == message.document.name }) {
      messages.append(message)
    }
    self.messages = messages
  }

  /// A reader's own messages don't count.
  func unread(by uid: String) -> Int {
    min(Self.window, messages.count { $0.senderID != uid && !$0.readBy.contains(uid) })
  }

  /// The last one by (timestamp, clientTimestamp, id): a batch gives all its messages one time.
  var last: Message? {
    messages.filter { $0.timestamp != nil }.max { $0.position < $1.position }
  }

  func contains(id: String) -> Bool { messages.contains { $0.document.name.id == id } }
}
