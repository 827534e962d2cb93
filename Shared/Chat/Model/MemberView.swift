package import Core
import FirestoreClient
package import FirestoreModel
package import FunctionRuntime

/// What a caller may see of a conversation, read only after it was clear that they are in it.
package struct MemberView: Sendable {
  /// The caller.
  package var uid: String
  package var conversation: Conversation
  /// The newest of those the caller may see, in any order.
  package var messages: [Message]
  /// Of the participants and of the messages' senders, as far as they exist.
  package var profiles: [String: UserProfile]
  /// Of everybody in it now, in the order of the participants, and then of who has left.
  package var aliases: Aliases

  package init(
    uid: String,
    conversation: Conversation,
    messages: [Message],
    profiles: [String: UserProfile]
  ) {
    self.uid = uid
    self.conversation = conversation
    self.messages = messages
    self.profiles = profiles
    aliases = Aliases(in: conversation, messages: messages, profiles: profiles)
  }

  /// The language the caller reads.
  ///
  /// - Throws: `FAILED_PRECONDITION` if none is known.
  package func language() throws(StatusError) -> Language {
    try conversation.language(ofCaller: uid, profile: profiles[uid])
  }

  /// Whether a message of the conversation, found elsewhere, is the caller's to see.
  package func shows(_ message: Message) -> Bool {
    conversation.includes(message) && conversation.shows(message, to: uid)
  }

  /// The messages as a model may see them.
  package var window: ConversationWindow {
    ConversationWindow(messages, aliases: aliases, profiles: profiles)
  }
}

extension ChatSession {
  /// Reads a conversation for a caller who is in it.
  ///
  /// - Parameters:
  ///   - limit: how many messages at most.
  ///   - fields: what is read of messages beside what a model may see.
  /// - Throws:
  ///   - `UNAUTHENTICATED` without a caller, before anything is read.
  ///   - `PERMISSION_DENIED` if they are not in it, or it isn't there.
  ///   - `FAILED_PRECONDITION` where the conversation or the caller wants no AI.
  ///   - `INVALID_ARGUMENT` if the id can't be a conversation's.
  package func memberView(
    of conversationID: String,
    caller: Caller?,
    newest limit: Int,
    alsoReading fields: [String] = []
  ) async throws(StatusError) -> MemberView {
    guard let caller else { throw .notSignedIn }
    let name = try conversationName(conversationID)
    let user = try userName(caller.uid)
    let documents = try await firestore.documents([name, user])

    let messages: [Message]
    let conversation: Conversation
    if let document = documents[name] {
      conversation = try Conversation(document, of: caller)
      try checkConsent(conversation, documents[user].map(UserProfile.init))
      messages = try await newestMessages(
        limit,
        in: name,
        from: conversation.historyStart(for: caller.uid),
        alsoReading: fields
      )
    } else {
      // The older layout: each message names its two people. The caller is one of them, or learns
      // nothing.
      let found = try await newestMessages(limit, in: name, alsoReading: fields).filter {
        [$0.senderID, $0.recipientID].contains(caller.uid)
      }
      guard let newest = found.max(by: { $0.position < $1.position }) else { throw .notAMember }
      conversation = Conversation(of: newest)
      try checkConsent(conversation, documents[user].map(UserProfile.init))
      messages = found.filter(conversation.includes)
    }
    return MemberView(
      uid: caller.uid,
      conversation: conversation,
      messages: messages,
      profiles: try await profiles(
        of: conversation.participants + messages.compactMap(\.senderID)
      )
    )
  }

  /// - Parameters:
  ///   - start: only messages from it on, if it is given.
  ///   - time: only messages up to it, if it is given.
  package func newestMessages(
    _ limit: Int,
    in conversation: DocumentName,
    from start: Timestamp? = nil,
    upTo time: Timestamp? = nil,
    alsoReading fields: [String] = []
  ) async throws(StatusError) -> [Message] {
    let query = ConversationWindow.query(
      paths,
      limit: limit,
      from: start,
      upTo: time,
      alsoReading: fields
    )
    return try await firestore.run(query, below: conversation).map(Message.init)
  }

  private func checkConsent(
    _ conversation: Conversation,
    _ caller: UserProfile?
  ) throws(StatusError) {
    guard conversation.allowsAI else {
      throw StatusError(.failedPrecondition, "AI is off in this conversation")
    }
    guard caller?.hasOptedOut != true else {
      throw StatusError(.failedPrecondition, "the caller has opted out of AI")
    }
  }
}
