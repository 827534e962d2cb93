import Chat
import Core
import FirestoreModel

/// A member's earlier questions about a conversation and their answers.
///
/// They give context to a follow-up question such as "and when?".
struct QueryHistory {
  /// The number of questions that are read, including those about other conversations.
  private static let searchedLength = 20
  /// The number of questions that the model gets.
  private static let length = 3
  /// The maximum age of a question that the model gets.
  private static let lifetime = Duration.seconds(86_400)
  /// The length to which questions and answers are cut, in Unicode scalars.
  private static let maximumLength = 300

  /// A question and its answer as a model may see them.
  struct Exchange: Sendable, Hashable, Encodable {
    var question: String
    /// The answer as the model wrote it, with people's current aliases.
    var answer: String?
  }

  /// The exchanges, oldest first.
  private(set) var exchanges: [Exchange] = []
  /// The ids of the messages that the answers are based on.
  private(set) var cited: Set<String> = []

  /// Creates the history of the caller's questions about a conversation.
  ///
  /// Questions from before the caller joined are left out.
  ///
  /// - Parameters:
  ///   - documents: the results of `query`, newest first. Only answered questions about this
  ///     conversation are used.
  ///   - record: the question to be answered now.
  ///   - visible: the ids of the messages that the model may see. An answer based on another
  ///     message, such as a deleted one or one by a user who has opted out, is left out.
  init(
    _ documents: [Document],
    before record: DocumentName,
    view: MemberView,
    visible: Set<String>,
    now: Timestamp
  ) {
    let conversationID = view.conversation.document?.name.id
    let start = view.conversation.historyStart(for: view.uid)
    for document in documents where document.name != record && exchanges.count < Self.length {
      let fields = document.fields
      guard let conversationID, fields["conversationId"] == .string(conversationID),
        fields["status"] == "answered", let question = fields["userQuery"]?.nonEmptyString,
        let time = fields["timestamp"]?.timestampValue, time.advanced(by: Self.lifetime) > now,
        start.map({ $0 <= time }) ?? true
      else { continue }
      let sources = QueryRecord.contextIDs(in: fields)
      let people = fields["people"]?.mapValue ?? [:]
      let mayBeSeen =
        sources.map(visible.isSuperset) ?? false
        && people.values.compactMap(\.userID).allSatisfy {
          view.profiles[$0]?.hasOptedOut != true
        }
      let answer = mayBeSeen ? fields["modelAnswer"]?.nonEmptyString : nil
      exchanges.insert(
        Exchange(
          question: PromptText.visible(question, maximum: Self.maximumLength),
          answer: answer.map {
            PromptText.visible(
              Self.renamed($0, people, view.aliases),
              maximum: Self.maximumLength
            )
          }
        ),
        at: 0
      )
      cited.formUnion(sources ?? [])
    }
  }

  /// The query for a member's questions, to be run below `aiChats/{uid}`.
  static var query: StructuredQuery {
    StructuredQuery(
      from: "queries",
      orderBy: [.init(FieldPath("timestamp"), .descending)],
      limit: searchedLength
    )
  }

  private static let longestAlias = 8

  /// Returns a text with the current aliases of the people it names.
  ///
  /// A person who is no longer in the conversation becomes a question mark.
  ///
  /// - Parameter people: user ids by their aliases at the time of the answer.
  private static func renamed(_ text: String, _ people: Fields, _ aliases: Aliases) -> String {
    let parts = text.unicodeScalars.split(separator: "[", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      guard index > 0, let end = part.firstIndex(of: "]"), part[..<end].count <= longestAlias,
        let uid = people[String(part[..<end])]?.userID
      else { return String(part) }
      return (aliases[uid] ?? "?") + String(part[end...])
    }
    .joined(separator: "[")
  }
}
