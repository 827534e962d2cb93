package import Core
package import FirestoreModel
package import FunctionRuntime

/// The paths of the conversations and messages.
///
/// Clients of different versions may keep their conversations at different paths. Each path is a
/// layout. All layouts work alike, and an event is always about its own document's layout.
package struct ChatPaths: Sendable {
  /// The layouts; if two of them have a conversation with the same id, a call is about the first.
  package let layouts: [ChatLayout]

  private static let maximumLayouts = 10

  /// Creates the paths from the environment variable `MESSAGES_PATH`, a list of patterns separated
  /// by commas.
  ///
  /// The default is `conversations/{conversationId}/messages/{messageId}`.
  ///
  /// - Throws: a configuration error if a pattern doesn't match a message below a conversation, if
  ///   its first collection has the functions' own documents, or if a document could belong to two
  ///   layouts.
  package init(_ configuration: Configuration) throws(StatusError) {
    let text = configuration["MESSAGES_PATH"] ?? ChatLayout.standard
    do throws(StatusError) {
      layouts = try Self.layouts(text)
    } catch {
      throw .configuration(.invalidArgument, "MESSAGES_PATH \(error.message)")
    }
  }

  private static func layouts(_ text: String) throws(StatusError) -> [ChatLayout] {
    let comma = UInt8(ascii: ",")
    let items = text.utf8.split(separator: comma, omittingEmptySubsequences: false)
    guard items.count <= maximumLayouts else {
      throw StatusError(
        .invalidArgument,
        "lists \(items.count) patterns: list at most \(maximumLayouts)"
      )
    }
    var layouts: [ChatLayout] = []
    for item in items {
      let layout = try ChatLayout(String(decoding: item, as: UTF8.self))
      if let other = layouts.first(where: layout.overlaps) {
        throw StatusError(
          .invalidArgument,
          "lists \(quoted(other.messages.description)) and \(quoted(layout.messages.description)),"
            + " which overlap: a document can be at only one of the paths"
        )
      }
      layouts.append(layout)
    }
    return layouts
  }

  /// Returns a Boolean value that indicates whether a path is a message's.
  package func isMessage(_ path: ResourcePath) -> Bool {
    layouts.contains { $0.messages.match(path) != nil }
  }

  /// The ids of the collections of messages, without duplicates.
  package var messageCollections: [String] {
    layouts.reduce(into: []) { ids, layout in
      let id = layout.messageCollection
      if !ids.contains(where: { $0.hasSameBytes(as: id) }) { ids.append(id) }
    }
  }

  /// Returns the id of the collection of a conversation's messages.
  ///
  /// - Throws: `INTERNAL` if the path isn't a conversation's.
  package func messageCollection(
    of conversation: ResourcePath
  ) throws(StatusError) -> String {
    guard let layout = layouts.first(where: { $0.conversations.match(conversation) != nil }) else {
      throw StatusError(.internal, "\(conversation) is not the path of a conversation")
    }
    return layout.messageCollection
  }

  /// Returns the paths that the conversation with an id can have, in the order of the layouts.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id isn't a valid document id.
  package func conversations(_ id: String) throws(StatusError) -> [ResourcePath] {
    var paths: [ResourcePath] = []
    for layout in layouts { paths.append(try layout.conversation(id)) }
    return paths
  }

  /// Returns the path of a message from its conversation's path and its own id.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id isn't a valid document id.
  package func message(
    _ id: String,
    in conversation: ResourcePath
  ) throws(StatusError) -> ResourcePath {
    try conversation.appending(messageCollection(of: conversation)).appending(id)
  }

  /// Returns the path of the conversation that a message belongs to.
  package static func conversation(of message: ResourcePath) -> ResourcePath {
    message.parent.parent
  }
}

/// The path at which some clients keep their conversations and messages.
///
/// A conversation is the document above its messages.
package struct ChatLayout: Sendable {
  fileprivate static let standard = "conversations/{conversationId}/messages/{messageId}"

  /// The pattern of the messages' paths.
  package let messages: PathPattern
  /// The pattern of the conversations' paths.
  package let conversations: PathPattern
  /// The id of the collection of each conversation's messages.
  package let messageCollection: String

  /// The collections of the functions' own documents.
  ///
  /// Their events and documents would be taken for those of conversations.
  private static let ownCollections = [
    "users", "deviceTokens", "translations", "translationFailures", "functionEvents", "aiAnalysis",
    "aiChats", "smartReplies", "leases", "limits", "config",
  ]

  /// Creates a layout from the pattern of its messages' paths.
  ///
  /// - Throws: `INVALID_ARGUMENT` with a message that follows the variable's name.
  fileprivate init(_ text: String) throws(StatusError) {
    let segments = text.splitAtSlashes
    // A star would match several collections, or documents that aren't messages. The path check
    // treats a name in braces as an id.
    guard !text.utf8.contains(UInt8(ascii: "*")), !text.contains(where: \.isWhitespace),
      segments.count >= 4, segments.count.isMultiple(of: 2),
      (try? ResourcePath(segments: segments)) != nil,
      segments.last?.hasPrefix("{") == true, segments[segments.count - 3].hasPrefix("{"),
      let messages = try? PathPattern(text), messages.names.count == 2
    else {
      throw StatusError(
        .invalidArgument,
        "has the item \(quoted(text)): list patterns like \(Self.standard), separated by commas"
          + " without spaces"
      )
    }
    guard !Self.ownCollections.contains(where: { $0.hasSameBytes(as: segments[0]) }) else {
      throw StatusError(
        .invalidArgument,
        "has the item \(quoted(text)), but the functions keep their own documents in"
          + " \(segments[0]): conversations need another collection"
      )
    }
    self.messages = messages
    conversations = try PathPattern(segments.dropLast(2).joined(separator: "/"))
    messageCollection = segments[segments.count - 2]
  }

  /// Returns a Boolean value that indicates whether a document may belong to both layouts, as a
  /// message or as a conversation.
  fileprivate func overlaps(_ other: ChatLayout) -> Bool {
    [messages, conversations].contains { pattern in
      pattern.overlaps(other.messages) || pattern.overlaps(other.conversations)
    }
  }

  /// The triggers of a function that handles messages' texts.
  package var textTriggers: [FunctionManifest.Trigger] {
    let document = messages.description
    return [
      .init(eventType: EventType(.created), document: document),
      .init(eventType: EventType(.updated), document: document, fields: [FieldPath("text")]),
      .init(eventType: EventType(.deleted), document: document),
    ]
  }

  /// The path of the collection of the conversations.
  package var conversationCollection: [String] {
    conversations.description.splitAtSlashes.dropLast()
  }

  /// Returns the path of the conversation with an id.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id isn't a valid document id.
  fileprivate func conversation(_ id: String) throws(StatusError) -> ResourcePath {
    try ResourcePath(segments: conversationCollection + [id])
  }
}
