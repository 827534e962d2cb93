import Chat
import Core
import FirestoreClient
import FirestoreModel

/// What a reader hasn't seen of a conversation, `users/{uid}/inbox/{conversationId}`: as it is counted
/// now, beside what was kept.
struct InboxCount {
  let uid: String
  let unread: Int
  /// Whether it is kept at all: of who is no member any more, nothing is.
  private let isMember: Bool
  private let name: DocumentName
  private let lastMessageID: String?
  /// As it was read before the messages were: of two deliveries, the one that looked later writes
  /// last.
  private let known: Document?

  /// - Parameter snapshot: has what was kept.
  init(
    of user: DocumentName,
    in conversation: Conversation,
    _ conversationID: String,
    newest: NewestMessages,
    since snapshot: Snapshot
  ) throws(StatusError) {
    uid = user.id
    isMember = true
    unread = newest.unread(by: uid, joinedAt: conversation.joinedAt(uid))
    name = try Self.name(of: user, conversationID)
    lastMessageID = newest.last(notBy: uid)?.document.name.id
    known = snapshot[name]
  }

  /// Of who is no member of the conversation any more.
  ///
  /// - Parameter snapshot: has what was kept.
  init(
    ofFormer user: DocumentName,
    _ conversationID: String,
    since snapshot: Snapshot
  ) throws(StatusError) {
    uid = user.id
    isMember = false
    unread = 0
    name = try Self.name(of: user, conversationID)
    lastMessageID = nil
    known = snapshot[name]
  }

  /// - Parameter user: the profile's name.
  fileprivate static func name(
    of user: DocumentName,
    _ conversationID: String
  ) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: user.database,
      path: user.path.appending("inbox").appending(conversationID)
    )
  }

  /// Finds a reader's conversations in which something is unread, below their profile: they are few,
  /// whatever there is in all.
  static let unread = StructuredQuery(
    from: "inbox",
    where: .field(FieldPath("unread"), .greaterThan, .integer(0))
  )

  /// Whether phones show another number than they should.
  var isChanged: Bool {
    known.map { $0.fields["unread"] != .integer(Int64(unread)) } ?? (unread > 0)
  }

  /// Whether there has been something to keep.
  var isKept: Bool { known != nil }

  /// The write that keeps or removes it; nil if it is so already.
  ///
  /// - Parameter change: when something happened that may make it another. A delivery may have looked
  ///   before that and be about to write what it saw: unless somebody has written since then, that it
  ///   was counted is written even if it is so already, and the other has to look again.
  func write(since change: Timestamp? = nil) -> Write? {
    guard isMember else {
      return known?.updateTime.map { Write(.delete(name), currentDocument: .updateTime($0)) }
    }
    var fields: Fields = ["unread": .integer(Int64(unread))]
    if let lastMessageID { fields["lastMessageId"] = .string(lastMessageID) }
    let names = ["lastMessageId", "unread"]
    let isRight = known.map { known in names.allSatisfy { known.fields[$0] == fields[$0] } }
    if isRight == true {
      guard let change, let written = known?.updateTime, written <= change else { return nil }
    }
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(names.map { FieldPath($0) }),
      updateTransforms: isRight == true
        ? [FieldTransform(FieldPath("countedAt"), .setToServerValue(.requestTime))] : [],
      currentDocument: known?.updateTime.map(Precondition.updateTime) ?? .exists(false)
    )
  }
}

extension ChatSession {
  /// The documents in which a conversation's unread messages are counted.
  func inboxNames(
    of uids: [String],
    _ conversationID: String
  ) throws(StatusError) -> [DocumentName] {
    var names: [DocumentName] = []
    for uid in uids { names.append(try InboxCount.name(of: try userName(uid), conversationID)) }
    return names
  }
}

extension [Document] {
  /// The number on the app's icon: the sum over a reader's inbox. No conversation counts for more
  /// than is ever counted, and one that is muted counts like any other.
  var badge: Int {
    reduce(0) { sum, conversation in
      let count = conversation.fields["unread"]?.integerValue ?? 0
      return sum + Swift.min(Swift.max(0, Int(clamping: count)), NewestMessages.window)
    }
  }
}
