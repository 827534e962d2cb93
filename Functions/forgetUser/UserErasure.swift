import Chat
import Core
import FirestoreClient
import FirestoreModel
import FunctionRuntime
import Logging

/// Removes a user from conversations, what they wrote and what was answered to them; the profile
/// last.
///
/// What was made from a message, such as its translations in the cache, goes when the message goes:
/// the functions that made it see to that. Each step finds only what is still there: whoever is cut
/// short is run again and does the rest.
struct UserErasure {
  /// How many documents are removed or changed, by kind.
  struct Report: Encodable {
    var conversations = 0
    var messages = 0
    var receipts = 0
    var answers = 0
    var replies = 0
    var translations = 0
    var devices = 0
    var inbox = 0
  }

  /// How many values a filter takes.
  /// Source: Firestore's documentation of `in` and `array-contains-any`.
  private static let filterSize = 30

  private let uid: String
  private let session: ChatSession
  private var firestore: FirestoreClient { session.firestore }

  init(of uid: String, _ session: ChatSession) {
    self.uid = uid
    self.session = session
  }

  func run() async throws(StatusError) -> FunctionOutcome {
    let user = try session.userName(uid)
    let chats = try firestore.name("aiChats/\(uid)")
    var report = Report()
    // First of all nobody writes to them any more.
    try await leaveConversations(&report)
    try await removeMessages(&report)
    try await removeReceipts(&report)
    report.answers += try await remove(StructuredQuery(from: "queries"), below: chats)
    report.devices = try await remove(StructuredQuery(from: "devices"), below: user)
    report.inbox = try await remove(StructuredQuery(from: "inbox"), below: user)
    var writes = [Write(.delete(user))]
    for path in Spending.paths(of: uid, at: session.context.sources.now()) {
      writes.append(Write(.delete(try firestore.name(path))))
    }
    try await firestore.commit(writes)
    // None are kept any more for whom there is no profile.
    report.replies += try await remove(
      StructuredQuery(from: "smartReplies", where: .field(FieldPath("uid"), .equal, .string(uid)))
    )
    session.context.logger.info(
      "a user is forgotten",
      metadata: ["messages": "\(report.messages)", "conversations": "\(report.conversations)"]
    )
    return .done(report)
  }

  // MARK: Steps

  /// What a conversation has an entry of for each of its members.
  private static let entries = ["participantLanguages", "languageOverrides", "joinedAt"]
  private static let lists = [FieldPath("participants"), FieldPath("settings", "muted")]

  /// Takes the user out of every conversation, of those they had left too, and what a model suggested
  /// there to others: it may answer the user.
  private func leaveConversations(_ report: inout Report) async throws(StatusError) {
    // All conversations are in one collection, wherever that is.
    let segments = session.paths.conversations.splitAtSlashes.dropLast()
    let parent = segments.dropLast().joined(separator: "/")
    let place = parent.isEmpty ? nil : try firestore.name(parent)
    let all = StructuredQuery(from: segments.last ?? "")
    var searches: [Pages] = []
    for list in Self.lists {
      var query = all
      query.filter = .field(list, .arrayContains, .string(uid))
      searches.append(pages(query, below: place))
    }
    for name in Self.entries {
      searches.append(Pages(all, below: place, having: FieldPath(name, uid), of: session))
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
        // Last of all: who has left isn't found again.
        try await firestore.commit(conversations.map(leaving))
        report.conversations += conversations.count
      }
    }
  }

  private func leaving(_ conversation: Document) -> Write {
    // What is in the mask and not in the document is deleted.
    let entries = Self.entries.map { FieldPath($0, uid) }
    return Write(
      .update(Document(name: conversation.name, fields: [:])),
      updateMask: FieldMask(entries.filter { conversation.fields[$0] != nil }),
      updateTransforms: Self.lists.filter { conversation.fields[$0] != nil }
        .map { FieldTransform($0, .removeAllFromArray([.string(uid)])) },
      currentDocument: .exists(true)
    )
  }

  /// Removes what the user wrote, and the answers that others got from it.
  private func removeMessages(_ report: inout Report) async throws(StatusError) {
    var pages = pages(
      everywhere(
        session.paths.messageCollection,
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
      try await firestore.commit(messages.map { Write(.delete($0.name)) })
      report.messages += messages.count
    }
  }

  /// Removes others' questions that were answered from messages.
  private func removeAnswers(from messages: ArraySlice<Document>) async throws(StatusError) -> Int {
    let ids = messages.map { Value.string($0.name.id) }
    let pattern = try DocumentPattern("aiChats/{uid}/queries/{queryId}")
    return try await change(
      everywhere("queries", where: .field(FieldPath("contextIds"), .arrayContainsAny, .array(ids)))
    ) { query in
      // Ids of messages are their writers' choice: two conversations may have the same.
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

  /// Removes what the cache has of texts. Who said the same has it translated anew: that costs little,
  /// and of what is said often nobody knows who else does.
  private func removeTranslations(
    of messages: ArraySlice<Document>
  ) async throws(StatusError) -> Int {
    // By their bytes, as the cache's keys tell them apart.
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

  private func removeReceipts(_ report: inout Report) async throws(StatusError) {
    let readers = FieldPath("readBy")
    report.receipts = try await change(
      everywhere(
        session.paths.messageCollection,
        where: .field(readers, .arrayContains, .string(uid))
      )
    ) { message in
      guard isMessage(message) else { return nil }
      return Write(
        .update(Document(name: message.name, fields: [:])),
        updateMask: FieldMask([]),
        updateTransforms: [FieldTransform(readers, .removeAllFromArray([.string(uid)]))],
        currentDocument: .exists(true)
      )
    }
  }

  /// Another collection may have the same id.
  private func isMessage(_ document: Document) -> Bool {
    session.paths.messages.match(document.name.path) != nil
  }

  // MARK: Queries

  /// Removes what a query finds.
  ///
  /// - Returns: how many documents.
  private func remove(
    _ query: StructuredQuery,
    below parent: DocumentName? = nil
  ) async throws(StatusError) -> Int {
    try await change(query, below: parent) { Write(.delete($0.name)) }
  }

  /// Changes what a query finds.
  ///
  /// - Parameter write: of one document; nil if it is to stay.
  /// - Returns: how many documents.
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

  /// A query of all collections of an id, wherever they are. Production needs an index of the field
  /// for collection groups.
  private func everywhere(
    _ collection: String,
    where filter: StructuredQuery.Filter
  ) -> StructuredQuery {
    var query = StructuredQuery(from: collection, where: filter)
    query.from = [.init(collection, allDescendants: true)]
    return query
  }

  private func pages(_ query: StructuredQuery, below parent: DocumentName? = nil) -> Pages {
    Pages(query, below: parent, of: session)
  }
}
