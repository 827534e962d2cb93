import Core
package import FirestoreModel

/// The newest messages of a conversation in the form that a model receives.
///
/// The messages are in order of time, the senders are anonymous, and the total size is limited.
package struct ConversationWindow: Sendable {
  /// A message, with an id such as `m1` or `m2`.
  package struct Entry: Sendable, Hashable, Encodable {
    package var id: String
    package var from: String
    /// The language's code, or `nil` if the message has none or an unknown one.
    package var language: String?
    package var sentAt: String?
    package var text: String
  }

  /// The maximum size of all messages as they are sent, in tokens as `PromptText` counts them.
  package static let maximumTokens = 3_000
  /// The length to which messages are cut, in Unicode scalars.
  package static let maximumLength = 500
  package let entries: [Entry]
  /// The messages' document ids by their ids in `entries`.
  private let ids: [String: String]

  /// Creates a window of messages.
  ///
  /// - Parameters:
  ///   - messages: the messages in any order. Messages without text or sender, or by a sender who
  ///     has opted out, are left out.
  ///   - aliases: the aliases of all senders.
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

  /// Returns a message's document id from its id in this window, or `nil` if the id is unknown.
  package func messageID(_ id: String) -> String? {
    // The id comes from a model and can be any text.
    id.utf8.count <= 8 ? ids[id] : nil
  }

  /// Returns the query for the newest messages.
  ///
  /// - Parameters:
  ///   - start: the time of the oldest message, or `nil` for no limit.
  ///   - time: the time of the newest message, or `nil` for no limit.
  ///   - fields: the fields to read in addition to those that a model may see.
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
  /// The number of tokens of the entry's JSON.
  fileprivate var tokens: Int {
    let json = (try? JSON.encode(self)) ?? Data()
    return PromptText.tokens(String(decoding: json, as: UTF8.self)) + 1
  }
}
