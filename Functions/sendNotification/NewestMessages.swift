import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The newest messages of a conversation, and its readers' unread counts.
///
/// Counts are computed from the messages each time and never incremented. So they are right however
/// often, and in which order, events are delivered. There is one exception: once a reader has read
/// the twentieth message, older ones stay read. If twenty newer messages are handled before that
/// receipt, the older ones count.
struct NewestMessages {
  /// The maximum number of messages to query, and so the largest count; nobody needs a larger one.
  static let window = 100
  /// The number of messages that the first query reads.
  ///
  /// Most readers have read all but a few messages, and each message read costs a Firestore read.
  static let firstPart = 20

  /// Returns the query for the newest messages, or for those older than `oldest`.
  ///
  /// - Parameters:
  ///   - collection: the id of the messages' collection.
  ///   - start: the time after which the messages are, or `nil` for any time.
  static func query(
    _ collection: String,
    since start: Timestamp? = nil,
    after oldest: Document? = nil
  ) -> StructuredQuery {
    let timestamp = oldest?.fields["timestamp"]
    var query = StructuredQuery(
      from: collection,
      where: start.map { .field(FieldPath("timestamp"), .greaterThan, .timestamp($0)) },
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

  /// Returns whether the messages down to the oldest one include all messages after a time.
  static func reaches(_ start: Timestamp?, _ oldest: Document) -> Bool {
    guard let start, let timestamp = oldest.fields["timestamp"]?.timestampValue else {
      return false
    }
    return timestamp <= start
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
  private let ids: [ByteKey]
  private let foundCount: Int
  private let times: ReadTimes
  /// A Boolean value that indicates whether only messages after the times were read.
  let isPart: Bool

  /// Creates the messages that were found.
  ///
  /// - Parameters:
  ///   - found: the query's results, newest first.
  ///   - message: a message to count even if it has no timestamp, so that the query couldn't find
  ///     it.
  ///   - times: the times up to which the readers have read.
  ///   - isPart: whether only messages after these times were read.
  init(
    _ found: [Document],
    including message: Message? = nil,
    since times: ReadTimes = ReadTimes(),
    isPart: Bool = false
  ) {
    foundCount = found.count
    self.times = times
    self.isPart = isPart
    messages =
      found.map(Message.init)
      + [message].compactMap(\.self).filter { message in
        message.document.fields["timestamp"]?.timestampValue == nil
          && !found.contains { $0.name == message.document.name }
      }
    var newest: [ByteKey: Message] = [:]
    ids = messages.map { message in
      let id = ByteKey(message.document.name.id)
      guard let key = message.clientKey else { return id }
      if let other = newest[key], message.isSentAgain(as: other) {
        return ByteKey(other.document.name.id)
      }
      newest[key] = message
      return id
    }
  }

  /// Returns the number of messages that a reader hasn't read.
  ///
  /// The reader's own messages, those from before the reader joined, and those without text and
  /// attachment don't count. A message that
  /// was sent twice counts once, and counts as read if either copy is.
  func unread(by uid: String, in conversation: Conversation) -> Int {
    min(Self.window, unreadIDs(by: uid, in: conversation).count)
  }

  /// Returns the time up to which a reader has read, or `nil` if nothing shows it.
  ///
  /// It lies before the oldest unread message, and not between two copies of a message: either copy
  /// shows whether both are read. It stays as it was while there may be older unread messages than
  /// those that were read.
  func readUpTo(by uid: String, in conversation: Conversation) -> Timestamp? {
    let unread = unreadIDs(by: uid, in: conversation)
    let timed = zip(messages, ids).filter { $0.0.timestamp != nil }
    let counted = countedCount(for: uid, in: conversation)
    guard var time = timed.first?.0.timestamp, counted < Self.window else { return times[uid] }
    var newerCopies: [ByteKey: Timestamp] = [:]
    for (message, id) in timed.prefix(counted) {
      guard let timestamp = message.timestamp else { continue }
      let isSplit = newerCopies[id].map { $0 > time } ?? false
      if isSplit || unread.contains(id) { time = min(time, timestamp.justBefore) }
      newerCopies[id] = newerCopies[id] ?? timestamp
    }
    return time
  }

  private func unreadIDs(by uid: String, in conversation: Conversation) -> Set<ByteKey> {
    var unread: Set<ByteKey> = []
    var read: Set<ByteKey> = []
    let counted = zip(messages, ids).prefix(countedCount(for: uid, in: conversation))
    for (message, id) in counted where message.senderID != uid && message.hasContent {
      if conversation.hasRead(uid, message) || isBefore(times[uid], message) {
        read.insert(id)
      } else if !conversation.joined(uid, after: message) {
        unread.insert(id)
      }
    }
    return unread.subtracting(read)
  }

  /// Returns the number of messages that may be unread by a reader.
  ///
  /// A reader who has read the first part's oldest message by others has read all older ones. So
  /// `readUpTo` moves past these, and they stay read even when newer messages follow. The number
  /// must not depend on how many messages were read for other readers.
  private func countedCount(for uid: String, in conversation: Conversation) -> Int {
    let firstPart = messages.prefix(Self.firstPart)
    let isTold =
      foundCount >= Self.firstPart && Self.hasReadOlder(uid, than: firstPart, in: conversation)
    return isTold ? Self.firstPart : messages.count
  }

  private func isBefore(_ time: Timestamp?, _ message: Message) -> Bool {
    guard let time, let timestamp = message.timestamp else { return false }
    return timestamp <= time
  }

  /// The last message in the order of timestamp, clientTimestamp and id. The timestamp alone isn't
  /// enough: all messages of one batch have the same.
  var last: Message? { last { _ in true } }

  /// Returns the last message that other members wrote since the reader joined.
  ///
  /// It is the last one that notifies the reader, in whichever order the messages' events arrive.
  func last(for uid: String, in conversation: Conversation) -> Message? {
    last { $0.senderID != uid && !conversation.joined(uid, after: $0) }
  }

  private func last(where isMeant: (Message) -> Bool) -> Message? {
    messages.filter { $0.timestamp != nil && $0.hasContent && isMeant($0) }.max {
      $0.position < $1.position
    }
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
  fileprivate var clientKey: ByteKey? {
    guard let senderID, let clientID else { return nil }
    return ByteKey("\(senderID)/\(clientID)")
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
  ///
  /// - Parameters:
  ///   - message: a message to count even if it has no timestamp.
  ///   - times: the times up to which the readers have read.
  ///   - findsLast: whether the newest messages are read even if all readers have read them, because
  ///     the last message is needed.
  func newestMessages(
    of name: DocumentName,
    for readers: [String],
    in conversation: Conversation,
    including message: Message? = nil,
    since times: ReadTimes = ReadTimes(),
    findsLast: Bool = true
  ) async throws(StatusError) -> NewestMessages {
    let collection = try paths.messageCollection(of: name.path)
    let start = times.earliest
    let query = NewestMessages.query(collection, since: findsLast ? nil : start)
    var found = try await firestore.run(query, below: name)
    if let oldest = found.last, !NewestMessages.reaches(start, oldest),
      !NewestMessages.suffices(found, for: readers, in: conversation)
    {
      let rest = NewestMessages.query(collection, since: start, after: oldest)
      found += try await firestore.run(rest, below: name)
    }
    return NewestMessages(
      found,
      including: message,
      since: times,
      isPart: !findsLast && start != nil
    )
  }
}
