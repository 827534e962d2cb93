package import FirestoreModel
package import RPCStatus

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
    isGroup = fields["type"]?.stringValue == "group"
    self.participants = Self.userIDs(participants)
    strangeParticipants = participants.filter { !Self.isUserID($0) }.count
    allowsTranslation = settings["translation"]?.booleanValue ?? true
    allowsAI = settings["ai"]?.booleanValue ?? true
    muted = Set(settings["muted"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    participantLanguages = fields["participantLanguages"]?.mapValue ?? [:]
    languageOverrides = fields["languageOverrides"]?.mapValue ?? [:]
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

  /// The language a participant reads here: the conversation's override, else the profile's, else
  /// the conversation's copy, which may be stale.
  package func language(of uid: String, profile: UserProfile?) -> String? {
    languageOverrides[uid]?.nonEmptyString ?? profile?.language
      ?? participantLanguages[uid]?.nonEmptyString
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
    return values.filter(isUserID).compactMap(\.stringValue).filter { seen.insert($0).inserted }
  }

  /// A user's id is that of a document: anything else can't have a profile.
  private static func isUserID(_ value: Value) -> Bool {
    guard let id = value.nonEmptyString else { return false }
    return (try? ResourcePath(segments: ["users", id])) != nil
  }
}
