package import Core
import FirestoreClient
package import FirestoreModel
package import FunctionRuntime

/// A conversation that a call names by its id, and its messages that the call names.
package struct NamedConversation: Sendable {
  /// The conversation's document, or `nil` if no layout has one.
  package var document: Document?
  /// The existing messages by id.
  package var messages: [ByteKey: Document]
  /// All existing documents that were read, by name.
  package var documents: [DocumentName: Document]

  /// Returns a message that a member may see, and its conversation.
  ///
  /// Membership is checked before the message, so that a stranger can't find out which message ids
  /// exist.
  ///
  /// - Parameter id: one of the ids that were read.
  /// - Throws: `PERMISSION_DENIED` if the caller isn't a participant, or if there is neither a
  ///   conversation nor a message; `NOT_FOUND` if a participant names a message that doesn't exist
  ///   or is hidden from them.
  package func message(
    _ id: String,
    for caller: Caller
  ) throws(StatusError) -> (message: Message, conversation: Conversation) {
    let known = try document.map { document throws(StatusError) in
      try Conversation(document, of: caller)
    }
    let isVisible = { known?.shows($0, to: caller.uid) ?? true }
    guard let message = messages[ByteKey(id)].map(Message.init), isVisible(message) else {
      throw known == nil
        ? StatusError.notAMember
        : StatusError(.notFound, "there is no message \(quoted(id)) in this conversation")
    }
    let conversation = known ?? Conversation(of: message)
    guard conversation.hasParticipant(caller.uid) else { throw StatusError.notAMember }
    return (message, conversation)
  }
}

extension ChatSession {
  /// Reads a conversation and messages of it.
  ///
  /// The conversation is that of the first layout that has its document. If no layout has one, the
  /// messages are those of the first layout that has any of them. One read is enough if there is
  /// only one layout, or if the conversation's is the first.
  ///
  /// - Parameters:
  ///   - ids: the ids of the messages.
  ///   - others: the documents to read together with the conversation.
  /// - Throws: `INVALID_ARGUMENT` if an id isn't a valid document id.
  package func conversation(
    _ id: String,
    messages ids: [String],
    alsoReading others: [DocumentName] = []
  ) async throws(StatusError) -> NamedConversation {
    let paths = try paths.conversations(id)
    let names = try conversationNames(id)
    let expected = try messageNames(ids, in: paths[0])
    var documents = try await firestore.documents(names + expected.values + others)
    let document = names.lazy.compactMap { documents[$0] }.first
    var messages: [ByteKey: Document] = [:]
    for path in document.map({ [$0.name.path] }) ?? paths where messages.isEmpty {
      let names = try messageNames(ids, in: path)
      if path != paths[0] {
        documents.merge(try await firestore.documents(Array(names.values))) { _, new in new }
      }
      messages = names.compactMapValues { documents[$0] }
    }
    return NamedConversation(document: document, messages: messages, documents: documents)
  }
}

// MARK: Names

extension ChatSession {
  /// Returns the names that the document of the conversation with an id can have, in the order of
  /// the layouts.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id isn't a valid document id.
  package func conversationNames(_ id: String) throws(StatusError) -> [DocumentName] {
    var names: [DocumentName] = []
    for path in try paths.conversations(id) {
      names.append(try DocumentName(database: firestore.endpoint.database, path: path))
    }
    return names
  }

  /// Returns the name of the document of a message's conversation.
  package func conversationName(of message: ResourcePath) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: firestore.endpoint.database,
      path: ChatPaths.conversation(of: message)
    )
  }

  /// Returns the name of a message's document from its conversation's path and its own id.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the id isn't a valid document id.
  package func messageName(
    _ id: String,
    in conversation: ResourcePath
  ) throws(StatusError) -> DocumentName {
    try DocumentName(
      database: firestore.endpoint.database,
      path: paths.message(id, in: conversation)
    )
  }

  private func messageNames(
    _ ids: [String],
    in conversation: ResourcePath
  ) throws(StatusError) -> [ByteKey: DocumentName] {
    var names: [ByteKey: DocumentName] = [:]
    for id in ids { names[ByteKey(id)] = try messageName(id, in: conversation) }
    return names
  }
}
