package import FirestoreModel
import LanguageDetection
package import RPCStatus

/// A message as the functions see it. Members of the wrong type count as missing.
package struct Message: Sendable {
  package let document: Document
  package var senderID: String?
  package var text: String
  /// What the client or a detector wrote.
  package var language: String?
  package var timestamp: Timestamp?
  /// When the client wrote it; tells the messages of one batch apart.
  package var clientTimestamp: Timestamp?
  /// Present only in the layout that has no conversation document.
  package var recipientID: String?
  package var readBy: Set<String>
  /// The sender's own id of it: whoever sends a message again gives it the same.
  package var clientID: String?
  package var mediaURL: String?
  /// What the client says of the media, such as `image/jpeg` or `video`.
  package var mediaType: String?
  package var hasMedia: Bool { mediaURL != nil }
  private let translations: Fields
  private let translationMeta: Fields

  package init(_ document: Document) {
    self.document = document
    let fields = document.fields
    senderID = fields["senderId"]?.userID
    text = fields["text"]?.stringValue ?? ""
    language = fields["language"]?.nonEmptyString
    timestamp = fields["timestamp"]?.timestampValue
    clientTimestamp = fields["clientTimestamp"]?.timestampValue
    recipientID = fields["recipientId"]?.userID
    readBy = Set(fields["readBy"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    clientID = fields["clientId"]?.nonEmptyString ?? fields["tempId"]?.nonEmptyString
    mediaURL = fields["mediaURL"]?.nonEmptyString
    mediaType = fields["mediaType"]?.nonEmptyString
    translations = fields["translations"]?.mapValue ?? [:]
    translationMeta = fields["translationMeta"]?.mapValue ?? [:]
  }

  /// A stored translation, if it is one of the current text.
  ///
  /// Clients can write `translations`; only an entry whose hash matches the text counts, so that
  /// an edit makes all of them stale.
  package func translation(into language: Language) -> (text: String, engine: String)? {
    guard let text = translations[language.code]?.stringValue,
      let meta = translationMeta[language.code]?.mapValue, meta["error"] == nil,
      meta["textHash"]?.stringValue == ContentHash.text(self.text)
    else { return nil }
    return (text, meta["engine"]?.nonEmptyString ?? "unknown")
  }

  /// Where it stands in its conversation: a batch gives all its messages one server time.
  package var position: (Timestamp, Timestamp, String) {
    let start = Timestamp(seconds: 0)
    return (timestamp ?? start, clientTimestamp ?? start, document.name.id)
  }

  /// The language it is in: what its client or a detector wrote, unless the text is in another
  /// script; else the one detected, which in doubt is the sender's. nil if nothing tells.
  ///
  /// It depends on the message and its sender alone, so that every function comes to the same: two
  /// languages for one text would be two translations to pay.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it is no known language code.
  package func language(sender: UserProfile?) throws(StatusError) -> Language? {
    if let language {
      let claimed = try Language(language)
      guard LanguageDetector.contradicts(text, language: language, minimumWords: .max) else {
        return claimed
      }
    }
    let expected = [sender?.language].compactMap(\.self)
    guard let code = LanguageDetector.detect(text, expected: expected) ?? expected.first else {
      return try language.map { code throws(StatusError) in try Language(code) }
    }
    return try Language(code)
  }

  package var hasText: Bool { Self.hasText(text) }

  /// Whether a text has a visible character; without one it needs no translation.
  package static func hasText(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
      default: !$0.properties.isDefaultIgnorableCodePoint
      }
    }
  }
}

extension Value {
  /// A user's id: a string that can be the id of a document. What can't, such as `a/b`, could have
  /// no profile, and would lead to another document where it is part of a path.
  package var userID: String? {
    guard let id = nonEmptyString, (try? ResourcePath(segments: ["users", id])) != nil else {
      return nil
    }
    return id
  }

  /// Whether a setting is on that is on unless somebody has switched it off. What is no setting was
  /// meant as one: it counts as off.
  package static func isOn(_ setting: Value?) -> Bool {
    switch setting {
    case nil, .null, .boolean(true): true
    default: false
    }
  }

  /// A string that says something.
  package var nonEmptyString: String? {
    guard case .string(let string) = self, !string.isEmpty else { return nil }
    return string
  }
}
