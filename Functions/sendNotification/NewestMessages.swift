import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The newest messages of a conversation, and what follows from them for its readers.
///
/// Counted anew each time and never incremented: however often an event is delivered, and in
/// whatever order, the numbers are right.
struct NewestMessages {
  /// Older messages aren't looked at: nobody reads a badge beyond it.
  static let window = 100
  /// Most readers have seen all but a few, and each message looked at costs a read.
  static let firstPart = 20

  /// The newest messages, or those that are older than one of them.
  static func query(_ paths: ChatPaths, after oldest: Document? = nil) -> StructuredQuery {
    let timestamp = oldest?.fields["timestamp"]
    var query = StructuredQuery(
      from: paths.messageCollection,
      orderBy: [
        .init(FieldPath("timestamp"), .descending), .init(.documentName, .descending),
      ],
      limit: oldest == nil ? firstPart : window - firstPart,
      select: [
        "senderId", "readBy", "text", "timestamp", "clientTimestamp", "clientId", "tempId",
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

  /// Whether the first part tells all: whoever has read the oldest of it that others wrote has read
  /// what is older, and for whoever has come in since then it doesn't count. To have written one
  /// says nothing of what was read.
  static func suffices(
    _ firstPart: [Document],
    for readers: [String],
    joinedAt: (String) -> Timestamp? = { _ in nil }
  ) -> Bool {
    guard firstPart.count >= self.firstPart else { return true }
    let messages = firstPart.map(Message.init)
    return readers.allSatisfy { hasReadOlder($0, than: messages[...], joinedAt($0)) }
  }

  private static func hasReadOlder(
    _ reader: String,
    than messages: ArraySlice<Message>,
    _ joined: Timestamp?
  ) -> Bool {
    guard let oldest = messages.last(where: { $0.senderID != reader }) else { return false }
    // What has no time stands at no place among the others.
    return oldest.readBy.contains(reader) || (oldest.timestamp != nil && oldest.isBefore(joined))
  }

  private let messages: [Message]
  /// By message: its id, or that of the newer one which is the same, sent again.
  private let ids: [String]
  private let foundCount: Int

  /// - Parameters:
  ///   - found: what the query found.
  ///   - message: one that the query can't find, for it has no timestamp, counts all the same.
  init(_ found: [Document], including message: Message? = nil) {
    foundCount = found.count
    messages =
      found.map(Message.init)
      + [message].compactMap(\.self).filter { message in
        message.timestamp == nil && !found.contains { $0.name == message.document.name }
      }
    var newest: [String: Message] = [:]
    ids = messages.map { message in
      guard let key = message.clientKey else { return message.document.name.id }
      if let other = newest[key], message.isSentAgain(as: other) { return other.document.name.id }
      newest[key] = message
      return message.document.name.id
    }
  }

  /// A reader's own messages don't count, nor what was written before they joined. A message that was
  /// sent twice counts once, and is read when one of the two is.
  func unread(by uid: String, joinedAt joined: Timestamp? = nil) -> Int {
    var unread: Set<String> = []
    var read: Set<String> = []
    let firstPart = messages.prefix(Self.firstPart)
    // What is counted must not depend on how much was read for others.
    let isTold = foundCount >= Self.firstPart && Self.hasReadOlder(uid, than: firstPart, joined)
    let last = isTold ? Self.firstPart : messages.count
    for (message, id) in zip(messages, ids).prefix(last) where message.senderID != uid {
      if message.readBy.contains(uid) {
        read.insert(id)
      } else if !message.isBefore(joined) {
        unread.insert(id)
      }
    }
    return min(Self.window, unread.subtracting(read).count)
  }

  /// The last one by (timestamp, clientTimestamp, id): a batch gives all its messages one time.
  var last: Message? { last { _ in true } }

  /// The last one that others wrote: what reaches a reader, whatever the order in which messages are
  /// dealt with, of which their own are not.
  func last(notBy uid: String) -> Message? { last { $0.senderID != uid } }

  private func last(where isMeant: (Message) -> Bool) -> Message? {
    messages.filter { $0.timestamp != nil && isMeant($0) }.max { $0.position < $1.position }
  }

  func contains(id: String) -> Bool { messages.contains { $0.document.name.id == id } }

  /// A message as it was when these were read; nil if it is none of them.
  func current(_ message: Message) -> Message? {
    messages.first { $0.document.name == message.document.name }
  }

  /// Whether a message that was there is there no more: it would have been found.
  func lacks(_ message: Message) -> Bool {
    guard let timestamp = message.timestamp, current(message) == nil else { return false }
    guard foundCount >= Self.firstPart, let oldest = messages.last?.timestamp else { return true }
    return timestamp > oldest
  }
}

extension Message {
  /// The same for a message and whatever its sender sends in its place; nil if clients give none.
  fileprivate var clientKey: String? {
    guard let senderID, let clientID else { return nil }
    return "\(senderID)/\(clientID)"
  }

  /// Whether it and a newer one with the same key are one message: a client may use an id again.
  fileprivate func isSentAgain(as newer: Message) -> Bool {
    guard let timestamp, let later = newer.timestamp else { return true }
    return later.duration(since: timestamp) < NotificationLedger.copiesLifetime
  }
}

extension ChatSession {
  /// Reads as many of a conversation's newest messages as tell what readers haven't seen.
  func newestMessages(
    of name: DocumentName,
    for readers: [String],
    in conversation: Conversation,
    including message: Message? = nil
  ) async throws(StatusError) -> NewestMessages {
    var found = try await firestore.run(NewestMessages.query(paths), below: name)
    if let oldest = found.last,
      !NewestMessages.suffices(found, for: readers, joinedAt: conversation.joinedAt)
    {
      found += try await firestore.run(NewestMessages.query(paths, after: oldest), below: name)
    }
    return NewestMessages(found, including: message)
  }
}
