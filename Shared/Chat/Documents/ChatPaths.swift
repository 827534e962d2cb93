package import Core
package import FirestoreModel
package import FunctionRuntime

/// Where the documents are. Only the messages' place is configurable; the conversation is the
/// document above them.
package struct ChatPaths: Sendable {
  /// Pattern of the messages' paths.
  package let messages: DocumentPattern

  /// Environment: `MESSAGES_PATH`, default `conversations/{conversationId}/messages/{messageId}`.
  ///
  /// - Throws: a configuration error if it can't be a message below a conversation.
  package init(_ configuration: Configuration) throws(StatusError) {
    let text =
      configuration["MESSAGES_PATH"] ?? "conversations/{conversationId}/messages/{messageId}"
    let segments = text.splitAtSlashes
    // A star would match more than one collection, or other documents than messages.
    guard !text.utf8.contains(UInt8(ascii: "*")), segments.count >= 4,
      segments.count.isMultiple(of: 2),
      segments.last?.hasPrefix("{") == true, segments[segments.count - 3].hasPrefix("{"),
      let pattern = try? DocumentPattern(text), pattern.names.count == 2
    else {
      throw .configuration(
        .invalidArgument,
        "MESSAGES_PATH is not a pattern like conversations/{conversationId}/messages/{messageId}"
      )
    }
    messages = pattern
  }

  /// Pattern of the conversations' paths.
  package var conversations: String {
    messages.description.splitAtSlashes.dropLast(2).joined(separator: "/")
  }

  /// The id of the collection the messages are in.
  package var messageCollection: String {
    messages.description.splitAtSlashes.dropLast().last ?? ""
  }

  /// The path of a message by its conversation's id and its own.
  ///
  /// - Throws: `INVALID_ARGUMENT` if an id can't be a document's.
  package func message(_ messageID: String, in conversationID: String) throws(StatusError)
    -> ResourcePath
  {
    var ids = [conversationID, messageID][...]
    var segments: [String] = []
    for segment in messages.description.splitAtSlashes {
      segments.append(segment.hasPrefix("{") ? ids.popFirst() ?? "" : segment)
    }
    return try ResourcePath(segments: segments)
  }

  /// The conversation a message belongs to.
  package static func conversation(of message: ResourcePath) -> ResourcePath {
    message.parent.parent
  }
}
