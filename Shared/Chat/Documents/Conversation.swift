package import Core
package import FirestoreModel
package import FunctionRuntime

/// A conversation, decoded from its document. Without a document, a message provides the values.
package struct Conversation: Sendable {
  /// The conversation's document, or `nil` in the older layout, which has no such documents.
  package let document: Document?
  /// The path that the document has or would have.
  package let path: ResourcePath
  package var name: String?
  package var isGroup: Bool
  /// The participants' user ids in the document's order, without duplicates.
  package var participants: [String]
  /// The number of entries in the document's list of participants that aren't user ids.
  package var strangeParticipants: Int
  /// A Boolean value that indicates whether the conversation's text may be sent to a translator.
  package var allowsTranslation: Bool
  /// A Boolean value that indicates whether the conversation's text may be sent to a language
  /// model.
  package var allowsAI: Bool
  /// The choices of members who muted the conversation, by their ids.
  package var muted: [ByteKey: Mute]
  private let participantLanguages: Fields
  private let languageOverrides: Fields

  /// Creates a conversation from its document.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the document has no list of participants.
  package init(_ document: Document) throws(StatusError) {
    let fields = document.fields
    guard let participants = fields["participants"]?.arrayValue else {
      throw StatusError(
        .failedPrecondition,
        "\(document.name.path) has no participants array"
      )
    }
    let settings = fields["settings"]?.mapValue ?? [:]
    self.document = document
    path = document.name.path
    name = fields["name"]?.nonEmptyString
    isGroup = fields["type"] == "group"
    self.participants = Self.userIDs(participants)
    strangeParticipants = participants.count { $0.userID == nil }
    allowsTranslation = Value.isOn(settings["translation"])
    allowsAI = Value.isOn(settings["ai"])
    muted = Mute.all(in: settings["muted"])
    participantLanguages = fields["participantLanguages"]?.mapValue ?? [:]
    languageOverrides = fields["languageOverrides"]?.mapValue ?? [:]
  }

  /// Creates a caller's conversation from its document.
  ///
  /// - Throws: `PERMISSION_DENIED` if the caller isn't a participant or the document is invalid.
  ///   The caller can't tell the two apart.
  package init(_ document: Document, of caller: Caller) throws(StatusError) {
    guard let conversation = try? Conversation(document),
      conversation.hasParticipant(caller.uid)
    else { throw .notAMember }
    self = conversation
  }

  /// Creates a message's conversation from the conversation's document, or from the message if
  /// there is no document.
  package init(_ document: Document?, of message: Message) throws(StatusError) {
    if let document {
      try self.init(document)
    } else {
      self.init(of: message)
    }
  }

  /// Creates a conversation in the older layout, in which the message names its two participants.
  package init(of message: Message) {
    let ids = [message.senderID, message.recipientID].compactMap { $0.map(Value.string) }
    document = nil
    path = ChatPaths.conversation(of: message.document.name.path)
    isGroup = false
    participants = Self.userIDs(ids)
    strangeParticipants = 0
    allowsTranslation = true
    allowsAI = true
    muted = [:]
    participantLanguages = [:]
    languageOverrides = [:]
  }

  /// Returns whether a user is a participant. Ids are compared by bytes, as security rules do: two
  /// users' ids may be equivalent in Unicode.
  package func hasParticipant(_ uid: String) -> Bool {
    participants.contains { $0.hasSameBytes(as: uid) }
  }

  /// Returns the participants and a message's sender, who may have left.
  package func users(of message: Message) -> [String] {
    participants + [message.senderID].compactMap(\.self).filter { !hasParticipant($0) }
  }

  /// Returns why nobody but the sender can read a message, or `nil` if somebody can.
  package func reasonForNoReaders(of message: Message) -> String? {
    guard !participants.contains(where: { $0 != message.senderID }) else { return nil }
    return document == nil
      ? "\(path) doesn't exist" : "the conversation has no member but the sender"
  }

  /// Returns a Boolean value that indicates whether a participant has read a message.
  ///
  /// `readBy` names the readers. Between two participants, `status` or `readAt` alone shows that
  /// the recipient has read the message. In a group only `readBy` counts. The sender never counts.
  package func hasRead(_ uid: String, _ message: Message) -> Bool {
    uid != message.senderID
      && (message.readBy.contains(uid) || message.isMarkedRead && uid == recipient(of: message))
  }

  /// Returns the id of the only reader of a message between two people.
  ///
  /// - Returns: The id, or `nil` in a group, and if the message's sender has left a conversation of
  ///   three.
  package func recipient(of message: Message) -> String? {
    guard !isGroup, participants.count <= 2 else { return nil }
    let readers = participants.filter { $0 != message.senderID }
    return readers.count == 1 ? readers[0] : nil
  }

  /// Returns a Boolean value that indicates whether a message in the same collection belongs to
  /// this conversation.
  ///
  /// The layout without documents keeps messages of other conversations in the same collection.
  /// Each message names its two participants.
  package func includes(_ message: Message) -> Bool {
    document != nil
      || [message.senderID, message.recipientID].allSatisfy {
        $0.map(hasParticipant) ?? false
      }
  }

  /// Returns the code of the language that a participant reads in this conversation.
  ///
  /// The sources in order of precedence are the conversation's override, the user's profile, and
  /// the conversation's copy of the language, which may be stale. An unknown code is used only if
  /// no source has a known one.
  package func language(of uid: String, profile: UserProfile?) -> String? {
    let codes = [
      languageOverrides[uid]?.shortString, profile?.language,
      participantLanguages[uid]?.shortString,
    ].compactMap(\.self)
    return codes.first { (try? Language($0)) != nil } ?? codes.first
  }

  /// Returns the language that a caller reads, for an answer in that language.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the caller has no known language.
  package func language(
    ofCaller uid: String,
    profile: UserProfile?
  ) throws(StatusError) -> Language {
    guard let code = language(of: uid, profile: profile) else {
      throw StatusError(.failedPrecondition, "the caller's profile has no language")
    }
    guard let language = try? Language(code) else {
      throw StatusError(
        .failedPrecondition,
        "the language of the caller's profile is not a known language code"
      )
    }
    return language
  }

  private static func userIDs(_ values: [Value]) -> [String] {
    var seen: Set<ByteKey> = []
    return values.compactMap(\.userID).filter { seen.insert(ByteKey($0)).inserted }
  }
}
