import Core

/// The readers of a message for whom it is translated and explained.
///
/// Readers are the participants of the conversation except the message's sender. Those who read the
/// message's language, or who don't want translations, aren't included.
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

  /// The languages without duplicates, in the order of the participants.
  package private(set) var languages: [Language] = []
  /// The languages by the codes in the readers' profiles, such as `iw` or `zh_CN`.
  ///
  /// The readers' clients look for these codes.
  package private(set) var codes: [String: Language] = [:]
  package private(set) var skipped: [Skipped] = []

  package init(
    of message: Message,
    in conversation: Conversation,
    profiles: [String: UserProfile],
    source: Language
  ) {
    for uid in conversation.participants where uid != message.senderID {
      guard let code = conversation.language(of: uid, profile: profiles[uid]) else {
        skipped.append(Skipped(uid: uid, reason: "no language in the profile"))
        continue
      }
      do throws(StatusError) {
        let language = if let known = codes[code] { known } else { try Language(code) }
        guard Self.mode(of: profiles[uid], reading: language, source: source) == .always else {
          continue
        }
        codes[code] = language
        if !languages.contains(language) { languages.append(language) }
      } catch {
        skipped.append(Skipped(uid: uid, reason: error.message))
      }
    }
  }

  /// Returns the mode in which a message is translated for a reader, or `nil` if the reader reads
  /// its language.
  ///
  /// All functions that translate or explain messages for readers follow this rule.
  ///
  /// - Parameters:
  ///   - profile: the reader's profile, if there is one.
  ///   - language: the language that the reader reads in the conversation.
  ///   - source: the message's language.
  package static func mode(
    of profile: UserProfile?,
    reading language: Language,
    source: Language
  ) -> TranslationMode? {
    guard !language.isReadable(as: source), profile?.alsoReads(source) != true else { return nil }
    return profile?.translationMode ?? .always
  }
}
