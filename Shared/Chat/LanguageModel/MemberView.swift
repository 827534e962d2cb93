package import Core
import FirestoreClient
package import FirestoreModel
package import FunctionRuntime

/// The part of a conversation that a caller may see. It is read only if the caller is a
/// participant.
package struct MemberView: Sendable {
  /// The caller's user id.
  package var uid: String
  package var conversation: Conversation
  /// The newest messages that the caller may see, in any order.
  package var messages: [Message]
  /// The existing profiles of the participants and of the messages' senders, by user id.
  package var profiles: [String: UserProfile]
  /// The aliases of the participants in their order, and then of former participants.
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

  /// Returns the language that the caller reads.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the caller has no known language.
  package func language() throws(StatusError) -> Language {
    try conversation.language(ofCaller: uid, profile: profiles[uid])
  }

  /// Returns a Boolean value that indicates whether the caller may see a message that isn't in
  /// `messages`.
  package func shows(_ message: Message) -> Bool {
    conversation.includes(message) && conversation.shows(message, to: uid)
  }

  /// The messages in the form that a model receives.
  package var window: ConversationWindow {
    ConversationWindow(messages, aliases: aliases, profiles: profiles)
  }
}

extension ChatSession {
  /// Reads a conversation for a caller who is a participant.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of messages.
  ///   - fields: the messages' fields to read in addition to those that a model may see.
  /// - Throws:
  ///   - `UNAUTHENTICATED` without a caller, before anything is read.
  ///   - `PERMISSION_DENIED` if the caller isn't a participant or the conversation doesn't exist.
  ///   - `FAILED_PRECONDITION` if AI is off for the conversation or the caller.
  ///   - `INVALID_ARGUMENT` if the id isn't a valid conversation id.
  package func memberView(
    of conversationID: String,
    caller: Caller?,
    newest limit: Int,
    alsoReading fields: [String] = []
  ) async throws(StatusError) -> MemberView {
    guard let caller else { throw .notSignedIn }
    let user = try userName(caller.uid)
    let found = try await self.conversation(conversationID, messages: [], alsoReading: [user])
    let profile = found.documents[user].map(UserProfile.init)

    let messages: [Message]
    let conversation: Conversation
    if let document = found.document {
      conversation = try Conversation(document, of: caller)
      try checkConsent(conversation, profile)
      messages = try await newestMessages(
        limit,
        in: document.name,
        from: conversation.historyStart(for: caller.uid),
        alsoReading: fields
      )
    } else {
      // In the older layout, each message names its two participants. A caller who is neither of
      // them gets no information.
      let own = try await newestMessages(limit, named: conversationID, alsoReading: fields).filter {
        [$0.senderID, $0.recipientID].contains { $0?.hasSameBytes(as: caller.uid) == true }
      }
      guard let newest = own.max(by: { $0.position < $1.position }) else { throw .notAMember }
      conversation = Conversation(of: newest)
      try checkConsent(conversation, profile)
      messages = own.filter(conversation.includes)
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

  /// Reads the newest messages from the first layout that has messages of the conversation with an
  /// id.
  private func newestMessages(
    _ limit: Int,
    named conversationID: String,
    alsoReading fields: [String]
  ) async throws(StatusError) -> [Message] {
    for name in try conversationNames(conversationID) {
      let messages = try await newestMessages(limit, in: name, alsoReading: fields)
      if !messages.isEmpty { return messages }
    }
    return []
  }

  /// Reads the newest messages of a conversation.
  ///
  /// - Parameters:
  ///   - start: the time of the oldest message, or `nil` for no limit.
  ///   - time: the time of the newest message, or `nil` for no limit.
  package func newestMessages(
    _ limit: Int,
    in conversation: DocumentName,
    from start: Timestamp? = nil,
    upTo time: Timestamp? = nil,
    alsoReading fields: [String] = []
  ) async throws(StatusError) -> [Message] {
    let query = ConversationWindow.query(
      try paths.messageCollection(of: conversation.path),
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
