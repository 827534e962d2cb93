import Core

/// The readers of a message: the participants of the conversation except the message's sender.
package struct Readers: Sendable {
  /// A reader without a known language, and the reason.
  package struct Skipped: Equatable, Sendable, Encodable {
    package var uid: String
    package var reason: String

    package init(uid: String, reason: String) {
      self.uid = uid
      self.reason = reason
    }
  }

  /// The readers' languages without duplicates, in the order of the participants.
  package private(set) var languages: [Language] = []
  /// The languages by the codes in the readers' profiles, such as `iw` or `zh_CN`.
  ///
  /// The readers' clients look for these codes.
  package private(set) var codes: [String: Language] = [:]
  package private(set) var skipped: [Skipped] = []

  package init(
    of message: Message,
    in conversation: Conversation,
    profiles: [String: UserProfile]
  ) {
    for uid in conversation.participants where uid != message.senderID {
      guard let code = conversation.language(of: uid, profile: profiles[uid]) else {
        skipped.append(Skipped(uid: uid, reason: "no language in the profile"))
        continue
      }
      do throws(StatusError) {
        let language = if let known = codes[code] { known } else { try Language(code) }
        codes[code] = language
        if !languages.contains(language) { languages.append(language) }
      } catch {
        skipped.append(Skipped(uid: uid, reason: error.message))
      }
    }
  }
}
