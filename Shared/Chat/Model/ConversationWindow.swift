import Core
package import FirestoreModel

/// The newest messages of a conversation as a model may see them: the oldest first, their senders
/// anonymous, within a budget.
package struct ConversationWindow: Sendable {
  /// A message, its id replaced by `m1`, `m2` …
  package struct Entry: Sendable, Hashable, Encodable {
    package var id: String
    package var from: String
    /// nil if the message doesn't say, or nothing that is a language.
    package var language: String?
    package var sentAt: String?
    package var text: String
  }

  /// What all messages together may cost as they are sent, in tokens as `PromptText` counts them.
  package static let maximumTokens = 3_000
  /// Longer messages are cut, in Unicode scalars.
  package static let maximumLength = 500
  package let entries: [Entry]
  /// The messages' own ids by those in `entries`.
  private let ids: [String: String]

  /// - Parameters:
  ///   - messages: in any order. Those without text, without sender, or of a sender who has opted
  ///     out are left out.
  ///   - aliases: of all their senders.
  package init(
    _ messages: [Message],
    aliases: Aliases,
    profiles: [String: UserProfile]
  ) {
    var chosen: [(message: Message, entry: Entry)] = []
    var tokens = 0
    for message in messages.sorted(by: { $0.position > $1.position }) where message.hasText {
      guard let sender = message.senderID, let alias = aliases[sender],
        profiles[sender]?.hasOptedOut != true
      else { continue }
      let entry = Entry(
        id: "m00",
        from: alias,
        language: message.language.flatMap { try? Language($0) }?.code,
        sentAt: message.timestamp.map { Timestamp(seconds: $0.seconds).description },
        text: PromptText.visible(message.text, maximum: Self.maximumLength)
      )
      tokens += entry.tokens
      guard tokens <= Self.maximumTokens else { break }
      chosen.append((message, entry))
    }
    var ids: [String: String] = [:]
    entries = chosen.reversed().enumerated().map { index, chosen in
      var entry = chosen.entry
      entry.id = "m\(index + 1)"
      ids[entry.id] = chosen.message.document.name.id
      return entry
    }
    self.ids = ids
  }

  /// The id of the message that is called so here; nil if none is.
  package func messageID(_ id: String) -> String? {
    // A model may answer with anything.
    id.utf8.count <= 8 ? ids[id] : nil
  }

  /// The query for the newest messages.
  ///
  /// - Parameters:
  ///   - start: only those from it on, if it is given.
  ///   - time: only those up to it, if it is given.
  ///   - fields: what is read beside what a model may see.
  package static func query(
    _ paths: ChatPaths,
    limit: Int,
    from start: Timestamp? = nil,
    upTo time: Timestamp? = nil,
    alsoReading fields: [String] = []
  ) -> StructuredQuery {
    let bounds: [StructuredQuery.Filter] = [
      start.map { .field(FieldPath("timestamp"), .greaterThanOrEqual, .timestamp($0)) },
      time.map { .field(FieldPath("timestamp"), .lessThanOrEqual, .timestamp($0)) },
    ].compactMap(\.self)
    return StructuredQuery(
      from: paths.messageCollection,
      where: bounds.count > 1 ? .composite(.and, bounds) : bounds.first,
      orderBy: [.init(FieldPath("timestamp"), .descending)],
      limit: limit,
      select: ([
        "senderId", "recipientId", "text", "language", "timestamp", "clientTimestamp",
      ] + fields).map { FieldPath($0) }
    )
  }
}

extension ConversationWindow.Entry {
  /// What it costs with its names and quotes.
  fileprivate var tokens: Int {
    let json = (try? JSON.encode(self)) ?? Data()
    return PromptText.tokens(String(decoding: json, as: UTF8.self)) + 1
  }
}
