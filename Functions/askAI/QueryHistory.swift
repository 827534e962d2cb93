import Chat
import Core
import FirestoreModel

/// What a member asked before about a conversation, and what they were told: a follow-up question
/// says "and when?".
struct QueryHistory {
  /// How many of their questions are read: those about other conversations are among them.
  private static let searchedLength = 20
  /// How many a model sees, and for how long.
  private static let length = 3
  private static let lifetime = Duration.seconds(86_400)
  /// Longer answers are cut, in Unicode scalars.
  private static let maximumLength = 300

  /// A question and its answer as a model may see them.
  struct Exchange: Sendable, Hashable, Encodable {
    var question: String
    /// As the model wrote it, people called by their aliases of today.
    var answer: String?
  }

  /// The oldest first.
  private(set) var exchanges: [Exchange] = []
  /// Ids of the messages the answers rest on.
  private(set) var cited: Set<String> = []

  /// - Parameters:
  ///   - documents: what `query` found, the newest first. What isn't an answered question of this
  ///     conversation is left out.
  ///   - record: the question to be answered now.
  ///   - visible: ids of the messages that a model may see. What was answered from others, from
  ///     somebody's who has opted out since or from a deleted one, it doesn't see either. Nor does
  ///     it see what they asked before they joined.
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

  /// The query for them, below `aiChats/{uid}`.
  static var query: StructuredQuery {
    StructuredQuery(
      from: "queries",
      orderBy: [.init(FieldPath("timestamp"), .descending)],
      limit: searchedLength
    )
  }

  private static let longestAlias = 8

  /// The text with today's aliases of the people it names. Somebody who isn't there any more is a
  /// question mark.
  ///
  /// - Parameter people: user ids by the aliases they had.
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
