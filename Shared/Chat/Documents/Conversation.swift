package import Core
package import FirestoreModel
package import FunctionRuntime

/// A conversation, or what a message tells of one whose document is missing.
package struct Conversation: Sendable {
  /// nil in the layout without conversation documents.
  package let document: Document?
  package var name: String?
  package var isGroup: Bool
  /// Without duplicates, in their order.
  package var participants: [String]
  /// How many entries of the list were no user ids.
  package var strangeParticipants: Int
  /// False: nothing said here goes to a translator.
  package var allowsTranslation: Bool
  /// False: nothing said here goes to a language model.
  package var allowsAI: Bool
  package var muted: Set<String>
  private let participantLanguages: Fields
  private let languageOverrides: Fields

  /// - Throws: `FAILED_PRECONDITION` if the document has no list of participants.
  package init(_ document: Document) throws(StatusError) {
    let fields = document.fields
    guard let participants = fields["participants"]?.arrayValue else {
      throw StatusError(
        .failedPrecondition,
        "\(document.name.path) has no array of participants"
      )
    }
    let settings = fields["settings"]?.mapValue ?? [:]
    self.document = document
    name = fields["name"]?.nonEmptyString
    isGroup = fields["type"] == "group"
    self.participants = Self.userIDs(participants)
    strangeParticipants = participants.count { $0.userID == nil }
    allowsTranslation = Value.isOn(settings["translation"])
    allowsAI = Value.isOn(settings["ai"])
    muted = Set(settings["muted"]?.arrayValue?.compactMap(\.userID) ?? [])
    participantLanguages = fields["participantLanguages"]?.mapValue ?? [:]
    languageOverrides = fields["languageOverrides"]?.mapValue ?? [:]
  }

  /// The conversation of somebody who calls.
  ///
  /// - Throws: `PERMISSION_DENIED` if they are not in it, or if nobody can be: a stranger must not
  ///   tell one from the other.
  package init(_ document: Document, of caller: Caller) throws(StatusError) {
    guard let conversation = try? Conversation(document),
      conversation.participants.contains(caller.uid)
    else { throw .notAMember }
    self = conversation
  }

  /// The conversation of a message, whether it has a document or not.
  package init(_ document: Document?, of message: Message) throws(StatusError) {
    if let document {
      try self.init(document)
    } else {
      self.init(of: message)
    }
  }

  /// The older layout: the message names its two participants.
  package init(of message: Message) {
    let ids = [message.senderID, message.recipientID].compactMap { $0.map(Value.string) }
    document = nil
    isGroup = false
    participants = Self.userIDs(ids)
    strangeParticipants = 0
    allowsTranslation = true
    allowsAI = true
    muted = []
    participantLanguages = [:]
    languageOverrides = [:]
  }

  /// The participants and a message's sender, who may have left.
  package func users(of message: Message) -> [String] {
    participants + [message.senderID].compactMap(\.self).filter { !participants.contains($0) }
  }

  /// Whether a message found beside others is one of this conversation. In the layout without
  /// documents one of other people may be: each message names its two.
  package func includes(_ message: Message) -> Bool {
    document != nil
      || [message.senderID, message.recipientID].allSatisfy {
        $0.map(participants.contains) ?? false
      }
  }

  /// The language a participant reads here: the conversation's override, else the profile's, else
  /// the conversation's copy, which may be stale. One that nobody knows is as good as none, if there
  /// is another.
  package func language(of uid: String, profile: UserProfile?) -> String? {
    let codes = [
      languageOverrides[uid]?.shortString, profile?.language,
      participantLanguages[uid]?.shortString,
    ].compactMap(\.self)
    return codes.first { (try? Language($0)) != nil } ?? codes.first
  }

  /// The same for a member who calls and needs an answer in it.
  ///
  /// - Throws: `FAILED_PRECONDITION` if none is known.
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
    var seen: Set<String> = []
    return values.compactMap(\.userID).filter { seen.insert($0).inserted }
  }
}
