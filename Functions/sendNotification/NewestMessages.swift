import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The newest messages of a conversation, and its readers' unread counts.
///
/// Counts are computed from the messages each time and never incremented. So they are right however
/// often, and in which order, events are delivered.
struct NewestMessages {
  /// The maximum number of messages to query, and so the largest count; nobody needs a larger one.
  static let window = 100
  /// The number of messages that the first query reads.
  ///
  /// Most readers have read all but a few messages, and each message read costs a Firestore read.
  static let firstPart = 20

  /// Returns the query for the newest messages, or for those older than `oldest`.
  ///
  /// - Parameter collection: the id of the messages' collection.
  static func query(_ collection: String, after oldest: Document? = nil) -> StructuredQuery {
    let timestamp = oldest?.fields["timestamp"]
    var query = StructuredQuery(
      from: collection,
      orderBy: [
        .init(FieldPath("timestamp"), .descending), .init(.documentName, .descending),
      ],
      limit: oldest == nil ? firstPart : window - firstPart,
      select: [
        "senderId", "readBy", "readAt", "status", "text", "timestamp", "clientTimestamp",
        "clientId", "tempId", "language", "mediaURL", "mediaType",
      ].map { FieldPath($0) }
    )
    query.startAt = oldest.map {
      StructuredQuery.Cursor(
        [timestamp ?? .null, .reference($0.name.description)],
        before: false
      )
    }
    return query
  }

  /// Returns whether the first part is enough to count the readers' unread messages.
  ///
  /// A reader who has read the part's oldest message by others has also read all older ones. Older
  /// messages don't count for a reader who joined later. A reader's own messages don't show what
  /// the reader has read.
  static func suffices(
    _ firstPart: [Document],
    for readers: [String],
    in conversation: Conversation
  ) -> Bool {
    guard firstPart.count >= self.firstPart else { return true }
    let messages = firstPart.map(Message.init)
    return readers.allSatisfy { hasReadOlder($0, than: messages[...], in: conversation) }
  }

  private static func hasReadOlder(
    _ reader: String,
    than messages: ArraySlice<Message>,
    in conversation: Conversation
  ) -> Bool {
    guard let oldest = messages.last(where: { $0.senderID != reader }) else { return false }
    // A message without a timestamp has no place in the order.
    return conversation.hasRead(reader, oldest)
      || (oldest.timestamp != nil && conversation.joined(reader, after: oldest))
  }

  private let messages: [Message]
  /// The id of each message, or the id of its newer copy if the message was sent again.
  private let ids: [String]
  private let foundCount: Int

  /// Creates the messages that were found.
  ///
  /// - Parameters:
  ///   - found: the query's results, newest first.
  ///   - message: a message to count even if it has no timestamp, so that the query couldn't find
  ///     it.
  init(_ found: [Document], including message: Message? = nil) {
    foundCount = found.count
    messages =
      found.map(Message.init)
      + [message].compactMap(\.self).filter { message in
        message.document.fields["timestamp"] == nil
          && !found.contains { $0.name == message.document.name }
      }
    var newest: [String: Message] = [:]
    ids = messages.map { message in
      guard let key = message.clientKey else { return message.document.name.id }
      if let other = newest[key], message.isSentAgain(as: other) { return other.document.name.id }
      newest[key] = message
      return message.document.name.id
    }
  }

  /// Returns the number of messages that a reader hasn't read.
  ///
  /// The reader's own messages and those from before the reader joined don't count. A message that
  /// was sent twice counts once, and counts as read if either copy is.
  func unread(by uid: String, in conversation: Conversation) -> Int {
    var unread: Set<String> = []
    var read: Set<String> = []
    let firstPart = messages.prefix(Self.firstPart)
    // The count must not depend on how many messages were read for other readers.
    let isTold =
      foundCount >= Self.firstPart && Self.hasReadOlder(uid, than: firstPart, in: conversation)
    let last = isTold ? Self.firstPart : messages.count
    for (message, id) in zip(messages, ids).prefix(last) where message.senderID != uid {
      if conversation.hasRead(uid, message) {
        read.insert(id)
      } else if !conversation.joined(uid, after: message) {
        unread.insert(id)
      }
    }
    return min(Self.window, unread.subtracting(read).count)
  }

  /// The last message in the order of timestamp, clientTimestamp and id. The timestamp alone isn't
  /// enough: all messages of one batch have the same.
  var last: Message? { last { _ in true } }

  /// Returns the last message that other members wrote.
  ///
  /// It is the last one that notifies the reader, in whichever order the messages' events arrive.
  func last(notBy uid: String) -> Message? { last { $0.senderID != uid } }

  private func last(where isMeant: (Message) -> Bool) -> Message? {
    messages.filter { $0.timestamp != nil && isMeant($0) }.max { $0.position < $1.position }
  }

  /// Returns the sender of one of the messages.
  func sender(of name: DocumentName) -> String? {
    messages.first { $0.document.name == name }?.senderID
  }

  func contains(id: String) -> Bool { messages.contains { $0.document.name.id == id } }

  /// Returns a message as it was when the messages were read, or `nil` if it wasn't among them.
  func current(_ message: Message) -> Message? {
    messages.first { $0.document.name == message.document.name }
  }

  /// Returns whether a message no longer exists: the query would have found it otherwise.
  func lacks(_ message: Message) -> Bool {
    guard message.missingTimestamp == nil, let timestamp = message.timestamp,
      current(message) == nil
    else { return false }
    guard foundCount >= Self.firstPart, let oldest = messages.last?.timestamp else { return true }
    return timestamp > oldest
  }
}

extension Message {
  /// The key that a message shares with its copies, or `nil` if the client gave the message no id.
  fileprivate var clientKey: String? {
    guard let senderID, let clientID else { return nil }
    return "\(senderID)/\(clientID)"
  }

  /// Returns whether this message and a newer one with the same key are copies of one message.
  ///
  /// Only messages less than `NotificationLedger.copiesLifetime` apart are copies: after that time, a
  /// client may use an id again.
  fileprivate func isSentAgain(as newer: Message) -> Bool {
    guard let timestamp, let later = newer.timestamp else { return true }
    return later.duration(since: timestamp) < NotificationLedger.copiesLifetime
  }
}

extension ChatSession {
  /// Reads as many of a conversation's newest messages as the readers' unread counts require.
  func newestMessages(
    of name: DocumentName,
    for readers: [String],
    in conversation: Conversation,
    including message: Message? = nil
  ) async throws(StatusError) -> NewestMessages {
    let collection = try paths.messageCollection(of: name.path)
    var found = try await firestore.run(NewestMessages.query(collection), below: name)
    if let oldest = found.last,
      !NewestMessages.suffices(found, for: readers, in: conversation)
    {
      let rest = NewestMessages.query(collection, after: oldest)
      found += try await firestore.run(rest, below: name)
    }
    return NewestMessages(found, including: message)
  }
}
