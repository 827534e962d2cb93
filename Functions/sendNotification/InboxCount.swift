import Chat
import Core
import FirestoreClient
import FirestoreModel

/// The number of messages that a reader hasn't read in a conversation, counted from the messages.
///
/// The number is stored in `users/{uid}/inbox/{conversationId}`, with the time up to which the reader
/// has read (`ReadTimes`) and a preview of the last message by others. This type compares a new inbox
/// with the stored one.
struct InboxCount {
  let uid: String
  let unread: Int
  /// A Boolean value that indicates whether the reader is a member; a former member has no inbox
  /// document.
  private let isMember: Bool
  private let name: DocumentName
  private let preview: InboxPreview?
  private let readUpTo: Timestamp?
  /// The stored document as it was before the messages were read.
  ///
  /// The document is the write's precondition. So of two deliveries, the one that read later writes
  /// last.
  private let known: Document?

  /// Creates a member's count.
  ///
  /// - Parameters:
  ///   - texts: the translated texts of messages, by message id.
  ///   - snapshot: a snapshot that contains the stored count.
  init(
    of user: DocumentName,
    in conversation: Conversation,
    _ conversationID: String,
    newest: NewestMessages,
    texts: [ByteKey: TranslatedTexts],
    since snapshot: Snapshot
  ) throws(StatusError) {
    uid = user.id
    isMember = true
    unread = newest.unread(by: uid, in: conversation)
    name = try Self.name(of: user, conversationID)
    known = snapshot[name]
    readUpTo = newest.readUpTo(by: uid, in: conversation)
    preview = InboxPreview(of: newest, for: uid, in: conversation, known: known, texts: texts)
  }

  /// Creates the count of a reader who is no longer a member of the conversation.
  ///
  /// - Parameter snapshot: a snapshot that contains the stored count.
  init(
    ofFormer user: DocumentName,
    _ conversationID: String,
    since snapshot: Snapshot
  ) throws(StatusError) {
    uid = user.id
    isMember = false
    unread = 0
    name = try Self.name(of: user, conversationID)
    preview = nil
    readUpTo = nil
    known = snapshot[name]
  }

  /// Returns the name of the inbox document for a conversation.
  ///
  /// - Parameter user: the name of the reader's profile.
  static func name(
    of user: DocumentName,
    _ conversationID: String
  ) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: user.database,
      path: user.path.appending("inbox").appending(conversationID)
    )
  }

  /// The query for a reader's conversations with unread messages, to be run below the profile.
  ///
  /// Such conversations are few, however many the reader has.
  static let unread = StructuredQuery(
    from: "inbox",
    where: .field(FieldPath("unread"), .greaterThan, .integer(0))
  )

  /// A Boolean value that indicates whether the stored number, and with it the devices' badge, is
  /// wrong.
  var isChanged: Bool {
    known.map { $0.fields["unread"] != .integer(Int64(unread)) } ?? (unread > 0)
  }

  /// A Boolean value that indicates whether a count is stored.
  var isKept: Bool { known != nil }

  /// The write that stores the preview alone, or `nil` if the stored preview is right or no inbox is
  /// stored.
  var previewWrite: Write? {
    guard let known, let updateTime = known.updateTime, let preview,
      InboxPreview.names.contains(where: { known.fields[$0] != preview.fields[$0] })
    else { return nil }
    return Write(
      .update(Document(name: name, fields: preview.fields)),
      updateMask: FieldMask(InboxPreview.names.map { FieldPath($0) }),
      currentDocument: .updateTime(updateTime)
    )
  }

  /// Returns the write that stores or deletes the count, or `nil` if the stored count is right.
  ///
  /// If a right count was last written before `change`, it is written again, with the time of
  /// counting. The reason: another delivery may have read before the change and be about to write a
  /// stale count. The new write makes that delivery's precondition fail, so that it reads again.
  ///
  /// - Parameter change: the time of a change that may alter the count.
  func write(since change: Timestamp? = nil) -> Write? {
    guard isMember else {
      return known?.updateTime.map { Write(.delete(name), currentDocument: .updateTime($0)) }
    }
    var fields = preview?.fields ?? [:]
    fields["unread"] = .integer(Int64(unread))
    fields[ReadTimes.field] = readUpTo.map(Value.timestamp)
    let names = InboxPreview.names + ["unread", ReadTimes.field]
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
  /// Returns the names of the documents that store readers' unread counts of a conversation.
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
  /// The number on the app's icon: the sum of a reader's unread counts.
  ///
  /// A conversation counts for at most `NewestMessages.window`. A muted one counts like any other.
  var badge: Int {
    reduce(0) { sum, conversation in
      let count = conversation.fields["unread"]?.integerValue ?? 0
      return sum + Swift.min(Swift.max(0, Int(clamping: count)), NewestMessages.window)
    }
  }
}
