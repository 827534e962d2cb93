package import Core
package import FirestoreModel
package import FunctionRuntime

/// The paths of the conversations and messages.
///
/// Only the messages' path is configurable; a conversation is the document above its messages.
package struct ChatPaths: Sendable {
  /// The pattern of the messages' paths.
  package let messages: DocumentPattern

  /// Creates the paths from the environment variable `MESSAGES_PATH`.
  ///
  /// The default is `conversations/{conversationId}/messages/{messageId}`.
  ///
  /// - Throws: a configuration error if the pattern doesn't match a message below a conversation.
  package init(_ configuration: Configuration) throws(StatusError) {
    let text =
      configuration["MESSAGES_PATH"] ?? "conversations/{conversationId}/messages/{messageId}"
    let segments = text.splitAtSlashes
    // A star would match several collections, or documents that aren't messages.
    guard !text.utf8.contains(UInt8(ascii: "*")), segments.count >= 4,
      segments.count.isMultiple(of: 2),
      segments.last?.hasPrefix("{") == true, segments[segments.count - 3].hasPrefix("{"),
      let pattern = try? DocumentPattern(text), pattern.names.count == 2
    else {
      throw .configuration(
        .invalidArgument,
        "MESSAGES_PATH must be a pattern like conversations/{conversationId}/messages/{messageId}"
      )
    }
    messages = pattern
  }

  /// The pattern of the conversations' paths.
  package var conversations: String {
    messages.description.splitAtSlashes.dropLast(2).joined(separator: "/")
  }

  /// The id of the messages' collection.
  package var messageCollection: String {
    messages.description.splitAtSlashes.dropLast().last ?? ""
  }

  /// Returns the path of a message from its conversation's id and its own id.
  ///
  /// - Throws: `INVALID_ARGUMENT` if an id isn't a valid document id.
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

  /// Returns the path of the conversation that a message belongs to.
  package static func conversation(of message: ResourcePath) -> ResourcePath {
    message.parent.parent
  }
}
