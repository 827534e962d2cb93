import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging
import Providers

/// The deletion of a user's memberships, messages, uploads, receipts, mentions and answers, of the
/// profile, and of the account.
///
/// The account is deleted last. If a run is interrupted, its user can therefore still sign in, get a
/// new ID token, and call the function again. An earlier deletion wouldn't keep the user from
/// writing, either: ID tokens stay valid for up to an hour without their account.
///
/// When a message is deleted, the functions that derived data from it, such as cached translations,
/// delete that data. When the user has left a conversation, mirrorMembership deletes the copy.
///
/// The deletion is idempotent: a run after an interrupted one finds only the data that still exists.
struct UserErasure {
  /// The number of documents deleted or changed, by kind, and the outcome of the account's deletion.
  struct Report: Encodable {
    var conversations = 0
    var messages = 0
    var receipts = 0
    var mentions = 0
    var answers = 0
    var replies = 0
    var translations = 0
    var devices = 0
    var tokens = 0
    var inbox = 0
    /// The number of avatars and media in Cloud Storage, or `nil` if the function has no bucket.
    var objects: Int?
    var status: StatusDeletion?
    var account: AccountDeletion?
  }

  /// The outcome for the user's node in the Realtime Database. Its raw value is for results.
  enum StatusDeletion: String, Encodable {
    case deleted
    /// The function has no Realtime Database.
    case noDatabase
  }

  /// The maximum number of values in a filter.
  ///
  /// Source: Firestore's documentation of `in` and `array-contains-any`.
  private static let filterSize = 30

  private let uid: String
  private let session: ChatSession
  private let accounts: AccountService
  private let database: RealtimeDatabaseService
  private let uploads: UserUploads
  private var firestore: FirestoreClient { session.firestore }

  init(
    of uid: String,
    _ session: ChatSession,
    _ accounts: AccountService,
    _ database: RealtimeDatabaseService,
    _ uploads: UserUploads
  ) {
    self.uid = uid
    self.session = session
    self.accounts = accounts
    self.database = database
    self.uploads = uploads
  }

  func run() async throws(StatusError) -> FunctionOutcome {
    let user = try session.userName(uid)
    let chats = try firestore.name("aiChats/\(uid)")
    var report = Report()
    // Leaving the conversations comes first, so that no new messages reach the user.
    for layout in session.paths.layouts { try await leaveConversations(of: layout, &report) }
    for id in session.paths.messageCollections {
      try await removeMessages(in: id, &report)
      report.receipts += try await removeEntries(of: "readBy", in: id)
      report.mentions += try await removeEntries(of: "mentions", in: id)
    }
    report.answers += try await remove(StructuredQuery(from: "queries"), below: chats)
    report.devices = try await remove(StructuredQuery(from: "devices"), below: user)
    report.inbox = try await remove(StructuredQuery(from: "inbox"), below: user)
    var writes = [Write(.delete(user))]
    for path in Spending.paths(of: uid, at: session.context.sources.now()) {
      writes.append(Write(.delete(try firestore.name(path))))
    }
    try await firestore.commit(writes)
    // The profile is deleted by now. For a user without a profile and devices, sendNotification
    // stores no owner of a token and smartReplies stores nothing, so neither is added afterwards.
    report.tokens = try await remove(
      StructuredQuery(from: "deviceTokens", where: .field(FieldPath("uid"), .equal, .string(uid)))
    )
    report.replies += try await remove(
      StructuredQuery(from: "smartReplies", where: .field(FieldPath("uid"), .equal, .string(uid)))
    )
    // mirrorMembership deletes the rest that the Realtime Database has about the user.
    report.status = try await deleteStatus()
    report.objects = try await uploads.deleteAvatars()
    if report.objects == nil {
      session.context.logger.notice("no uploads were deleted: there is no bucket")
    }
    let account = try await accounts.delete(uid, session)
    report.account = account
    if account == .noAuthentication {
      session.context.logger.warning("no account was deleted: there is no Authentication")
    }
    session.context.logger.info(
      "deleted a user's data",
      metadata: [
        "messages": "\(report.messages)", "conversations": "\(report.conversations)",
        "account": "\(account)",
      ]
    )
    return .done(report)
  }

  // MARK: Steps

  private func deleteStatus() async throws(StatusError) -> StatusDeletion {
    guard let client = database.client(session) else {
      session.context.logger.notice("no status was deleted: there is no Realtime Database")
      return .noDatabase
    }
    // A user whose ID can't be a key has no node.
    if RealtimeDatabaseClient.isKey(uid) {
      try await client.update([("status/\(uid)", .null)])
    }
    return .deleted
  }

  /// The map fields of a conversation that have an entry for each member.
  private static let entries = ["participantLanguages", "languageOverrides", "joinedAt"]
  /// The field that lists the members who muted the conversation, or has an entry for each.
  private static let muted = FieldPath("settings", "muted")
  /// The array fields of a conversation that list members.
  private static let lists = [FieldPath("participants"), muted]

  /// Removes the user from every conversation of a layout, including those the user had left.
  ///
  /// Replies suggested to other members are deleted, too: they may answer the user's messages.
  private func leaveConversations(
    of layout: ChatLayout,
    _ report: inout Report
  ) async throws(StatusError) {
    let collection = layout.conversationCollection
    let parent = collection.dropLast().joined(separator: "/")
    let place = parent.isEmpty ? nil : try firestore.name(parent)
    let all = StructuredQuery(from: collection.last ?? "")
    var searches: [PagedQuery] = []
    for list in Self.lists {
      var query = all
      query.filter = .field(list, .arrayContains, .string(uid))
      searches.append(pages(query, below: place))
    }
    for entry in entries {
      searches.append(PagedQuery(all, below: place, having: entry, of: session))
    }
    for var pages in searches {
      while let conversations = try await pages.next() {
        for conversation in conversations {
          report.replies += try await remove(
            StructuredQuery(
              from: "smartReplies",
              where: .field(FieldPath("conversationId"), .equal, .string(conversation.name.id))
            )
          )
        }
        try await uploads.deleteMedia(in: conversations.map(\.name.id))
        // This commit comes last, because the query doesn't find the conversation afterwards.
        try await firestore.commit(conversations.map(leaving))
        report.conversations += conversations.count
      }
    }
  }

  private func leaving(_ conversation: Document) -> Write {
    // A field in the mask that isn't in the document is deleted.
    Write(
      .update(Document(name: conversation.name, fields: [:])),
      updateMask: FieldMask(entries.filter { conversation.fields[$0] != nil }),
      // On another value than an array, this transform would replace the value by an empty array.
      updateTransforms: Self.lists.filter { conversation.fields[$0]?.arrayValue != nil }
        .map { FieldTransform($0, .removeAllFromArray([.string(uid)])) },
      currentDocument: .exists(true)
    )
  }

  /// The map entries of a conversation that belong to the user.
  private var entries: [FieldPath] {
    Self.entries.map { FieldPath($0, uid) } + [FieldPath("settings", "muted", uid)]
  }

  /// Deletes the user's messages, and other members' answers based on them.
  private func removeMessages(
    in messageCollection: String,
    _ report: inout Report
  ) async throws(StatusError) {
    var pages = pages(
      everywhere(
        messageCollection,
        where: .field(FieldPath("senderId"), .equal, .string(uid))
      )
    )
    while let page = try await pages.next() {
      let messages = page.filter(isMessage)
      for start in stride(from: 0, to: messages.count, by: Self.filterSize) {
        let part = messages[start...].prefix(Self.filterSize)
        report.answers += try await removeAnswers(from: part)
        report.translations += try await removeTranslations(of: part)
      }
      try await uploads.deleteMedia(
        in: messages.map { ChatPaths.conversation(of: $0.name.path).id }
      )
      // This commit comes last, because the query doesn't find the messages afterwards.
      try await firestore.commit(messages.map { Write(.delete($0.name)) })
      report.messages += messages.count
    }
  }

  /// Deletes other members' questions whose answers are based on these messages.
  private func removeAnswers(from messages: ArraySlice<Document>) async throws(StatusError) -> Int {
    let ids = messages.map { Value.string($0.name.id) }
    let pattern = try PathPattern("aiChats/{uid}/queries/{queryId}")
    return try await change(
      everywhere("queries", where: .field(FieldPath("contextIds"), .arrayContainsAny, .array(ids)))
    ) { query in
      // Clients choose message ids, so two conversations may have the same id.
      let isOurs =
        pattern.match(query.name.path) != nil
        && messages.contains { message in
          let conversation = ChatPaths.conversation(of: message.name.path).id
          return query.fields["conversationId"] == .string(conversation)
            && query.fields["contextIds"]?.arrayValue?.contains(.string(message.name.id)) == true
        }
      return isOurs ? Write(.delete(query.name)) : nil
    }
  }

  /// Deletes the cached translations of messages' texts.
  ///
  /// The cache doesn't record which other messages have the same text. They are translated again,
  /// which costs little.
  private func removeTranslations(
    of messages: ArraySlice<Document>
  ) async throws(StatusError) -> Int {
    // Texts are compared by their bytes, as in the cache's keys.
    let texts = Set(
      messages.compactMap { $0.fields["text"]?.nonEmptyString.map { Array($0.utf8) } }
    )
    guard !texts.isEmpty else { return 0 }
    return try await remove(
      StructuredQuery(
        from: "translations",
        where: .field(
          FieldPath("sourceText"),
          .in,
          .array(
            texts.sorted { $0.lexicographicallyPrecedes($1) }
              .map { .string(String(decoding: $0, as: UTF8.self)) }
          )
        )
      )
    )
  }

  /// Removes the user from an array field of messages.
  ///
  /// - Returns: The number of messages changed.
  private func removeEntries(
    of field: String,
    in messageCollection: String
  ) async throws(StatusError) -> Int {
    let list = FieldPath(field)
    return try await change(
      everywhere(messageCollection, where: .field(list, .arrayContains, .string(uid)))
    ) { message in
      guard isMessage(message) else { return nil }
      return Write(
        .update(Document(name: message.name, fields: [:])),
        updateMask: FieldMask([]),
        updateTransforms: [FieldTransform(list, .removeAllFromArray([.string(uid)]))],
        currentDocument: .exists(true)
      )
    }
  }

  /// Returns whether a document is a message; another collection may have the same id.
  private func isMessage(_ document: Document) -> Bool {
    session.paths.isMessage(document.name.path)
  }

  // MARK: Queries

  /// Deletes the documents that a query finds.
  ///
  /// - Returns: The number of documents.
  private func remove(
    _ query: StructuredQuery,
    below parent: DocumentName? = nil
  ) async throws(StatusError) -> Int {
    try await change(query, below: parent) { Write(.delete($0.name)) }
  }

  /// Changes the documents that a query finds.
  ///
  /// - Parameter write: returns a document's write, or `nil` if the document stays as it is.
  /// - Returns: The number of documents changed.
  private func change(
    _ query: StructuredQuery,
    below parent: DocumentName? = nil,
    by write: (Document) -> Write?
  ) async throws(StatusError) -> Int {
    var count = 0
    var pages = pages(query, below: parent)
    while let page = try await pages.next() {
      let writes = page.compactMap(write)
      if !writes.isEmpty { try await firestore.commit(writes) }
      count += writes.count
    }
    return count
  }

  /// Returns a collection group query, which searches all collections with a given id.
  ///
  /// Production needs a collection group index of the filter's field.
  private func everywhere(
    _ collection: String,
    where filter: StructuredQuery.Filter
  ) -> StructuredQuery {
    var query = StructuredQuery(from: collection, where: filter)
    query.from = [.init(collection, allDescendants: true)]
    return query
  }

  private func pages(_ query: StructuredQuery, below parent: DocumentName? = nil) -> PagedQuery {
    PagedQuery(query, below: parent, of: session)
  }
}
