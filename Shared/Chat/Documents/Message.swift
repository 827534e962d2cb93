package import Core
package import FirestoreModel
import LanguageDetection
import Providers

/// A message as the functions see it. Members of the wrong type count as missing.
package struct Message: Sendable {
  package let document: Document
  package var senderID: String?
  package var text: String
  /// What the client wrote, or a function about the text there is now.
  package var language: String?
  /// Who wrote it: nil counts as the client.
  private let languageSource: LanguageSource?
  /// Whether the client has written it since a function did, whose `languageSource` is still there.
  package let isLanguageCorrected: Bool
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
  private var translations: Fields
  private var translationMeta: Fields
  /// What an entry of the translations must have to be one of the current text.
  private let textHash: Value

  /// What clients and detectors write where they don't know, or it isn't one: as good as nothing.
  ///
  /// Source: ISO 639-2 (`und`, `mul`, `zxx`).
  private static let namesNoLanguage: Set<String> = ["und", "mul", "zxx", "auto"]

  package init(_ document: Document) {
    self.document = document
    let fields = document.fields
    senderID = fields["senderId"]?.userID
    text = fields["text"]?.nonEmptyString ?? ""
    timestamp = fields["timestamp"]?.timestampValue
    clientTimestamp = fields["clientTimestamp"]?.timestampValue
    recipientID = fields["recipientId"]?.userID
    readBy = Set(fields["readBy"]?.arrayValue?.compactMap(\.userID) ?? [])
    clientID = fields["clientId"]?.shortString ?? fields["tempId"]?.shortString
    mediaURL = fields["mediaURL"]?.nonEmptyString
    mediaType = fields["mediaType"]?.nonEmptyString
    translations = fields["translations"]?.mapValue ?? [:]
    let translationMeta = fields["translationMeta"]?.mapValue ?? [:]
    self.translationMeta = translationMeta
    let textHash = translationMeta.isEmpty ? Value.null : .string(ContentHash.text(text))
    self.textHash = textHash
    let written = fields["language"]?.shortString.flatMap {
      Self.namesNoLanguage.contains($0.lowercased()) ? nil : $0
    }
    let source = fields["languageSource"]?.shortString.flatMap(LanguageSource.init)
    let isFunctions = source != nil && source != .client
    // Each entry says from which language it was translated; those of older functions don't.
    isLanguageCorrected =
      isFunctions && !translationMeta.isEmpty
      && translationMeta.values.allSatisfy {
        guard let found = $0.mapValue?["source"]?.shortString else { return false }
        return found != written
      }
    languageSource = isLanguageCorrected ? .client : source
    // What a function found of an earlier text says nothing of this one.
    let isOfText =
      !isFunctions || isLanguageCorrected
      || translationMeta.values.contains { $0.mapValue?["textHash"] == textHash }
    language = isOfText ? written : nil
  }

  /// A stored translation, if it is one of the current text.
  ///
  /// Clients can write `translations`; only an entry whose hash matches the text counts, so that
  /// an edit makes all of them stale. One for a reader whose language is translated alike will do.
  ///
  /// - Parameter mayBeOffline: whether what the emulator's engines said counts as well.
  package func translation(
    into language: Language,
    mayBeOffline: Bool
  ) -> (text: String, engine: String)? {
    if let own = translation(for: language.code, mayBeOffline: mayBeOffline) { return own }
    let alike = translationMeta.keys.sorted().map(\.string).first {
      (try? Language($0))?.asTranslated == language.asTranslated
        && translation(for: $0, mayBeOffline: mayBeOffline) != nil
    }
    return alike.flatMap { translation(for: $0, mayBeOffline: mayBeOffline) }
  }

  /// The same under a code as a reader's profile has it: what their client looks for.
  package func translation(
    for code: String,
    mayBeOffline: Bool
  ) -> (text: String, engine: String)? {
    guard let text = translations[code]?.stringValue?.limitingCombiningMarks,
      let meta = translationMeta[code]?.mapValue, meta["error"] == nil,
      meta["textHash"] == textHash
    else { return nil }
    let engine = meta["engine"]?.shortString ?? "unknown"
    guard mayBeOffline || !OfflineEngine.hasPart(in: engine) else { return nil }
    return (text, engine)
  }

  /// What has come of translating the current text for readers of one code.
  package struct TranslationOutcome: Hashable, Sendable {
    /// As the readers' profiles have it.
    package var code: String
    /// When it was written.
    package var time: Timestamp
    /// From which language; nil if that wasn't written.
    package var source: String?
    package var isFailure: Bool
  }

  package var translationOutcomes: [TranslationOutcome] {
    translationMeta.compactMap { code, value in
      guard let code = Value.string(code.string).shortString, let meta = value.mapValue,
        meta["textHash"] == textHash,
        let time = meta["at"]?.timestampValue
      else { return nil }
      return TranslationOutcome(
        code: code,
        time: time,
        source: meta["source"]?.shortString,
        isFailure: meta["error"] != nil
      )
    }
  }

  /// The codes under which there is something about a former text, or a translation that isn't
  /// trusted.
  package var formerTranslations: Set<ByteKey> {
    Set(
      translationMeta.keys.filter {
        guard let hash = translationMeta[$0]?.mapValue?["textHash"] else { return false }
        return hash != textHash
      }
    ).union(distrusted)
  }

  /// The codes of what `distrusting` has left out.
  private var distrusted: Set<ByteKey> = []

  /// The same without the translations that a write of the text has brought.
  ///
  /// Their hash may be right, as anybody can compute it: but no function writes a text, nor has it
  /// translated one that wasn't there. What a client adds in a later write can't be told from a
  /// function's; that is for the database's security rules to refuse.
  ///
  /// - Parameters:
  ///   - copy: the message as the write left it, nil if that isn't known. An event that is delivered
  ///     again has the copy of then: what functions have written since is another.
  ///   - former: the message as it was before, nil if the write has created it.
  package func distrusting(_ copy: Document?, since former: Document? = nil) -> Message {
    // Most messages are new, and have none.
    guard !translationMeta.isEmpty, let copy = copy.map(Message.init) else { return self }
    let former = former.map(Message.init)
    var message = self
    for (code, meta) in translationMeta
    where meta.mapValue?["textHash"] == textHash && copy.hasEntry(of: self, for: code)
      && former?.hasEntry(of: self, for: code) != true
    {
      message.translations[code] = nil
      message.translationMeta[code] = nil
      message.distrusted.insert(code)
    }
    return message
  }

  /// Whether it has the same under a code as another message.
  private func hasEntry(of other: Message, for code: ByteKey) -> Bool {
    translationMeta[code] == other.translationMeta[code]
      && translations[code] == other.translations[code]
  }

  /// Where it stands in its conversation: a batch gives all its messages one server time.
  package var position: (Timestamp, Timestamp, ByteKey) {
    let start = Timestamp(seconds: 0)
    return (timestamp ?? start, clientTimestamp ?? start, ByteKey(document.name.id))
  }

  /// Who tells the language of a message, as the field `languageSource` has it.
  package enum LanguageSource: String, Sendable {
    case client, detected
    /// The sender's, since nothing else tells.
    case profile
  }

  /// The language it is in: what its client or a function wrote, unless the text is in another
  /// script; else the one detected, which in doubt is the sender's. nil if nothing tells.
  ///
  /// It depends on the message and its sender alone, so that every function comes to the same: two
  /// languages for one text would be two translations to pay.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it is no known language code.
  package func language(sender: UserProfile?) throws(StatusError) -> Language? {
    try sourceLanguage(sender: sender)?.language
  }

  /// The same with who tells it.
  package func sourceLanguage(
    sender: UserProfile?
  ) throws(StatusError) -> (language: Language, source: LanguageSource)? {
    if let language {
      let claimed = try Language(language)
      guard LanguageDetector.contradicts(text, language: language, minimumWords: .max) else {
        return (claimed, languageSource ?? .client)
      }
    }
    let expected = [sender?.language].compactMap(\.self)
    if let code = LanguageDetector.detect(text, expected: expected) {
      return (try Language(code), .detected)
    }
    if let code = expected.first { return (try Language(code), .profile) }
    guard let language else { return nil }
    return (try Language(language), languageSource ?? .client)
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
  /// A user's id: a string that can be the id of a document, of at most 128 bytes. Another, such as
  /// `a/b`, has no profile, and would lead to another document where it is part of a path.
  ///
  /// Source: firebase.google.com/docs/auth/admin/manage-users, where an id has 1 to 128 characters.
  package var userID: String? {
    guard let id = shortString, (try? ResourcePath(segments: ["users", id])) != nil else {
      return nil
    }
    return id
  }

  /// A code, or an id that others than Firestore give, of at most 128 bytes. A longer one counts as
  /// missing: a client can write a mebibyte there.
  package var shortString: String? {
    guard case .string(let string) = self, (1...128).contains(string.utf8.count) else { return nil }
    return string
  }

  /// Whether a setting is on that is on unless somebody has switched it off. What is no setting was
  /// meant as one: it counts as off.
  package static func isOn(_ setting: Value?) -> Bool {
    switch setting {
    case nil, .null, .boolean(true): true
    default: false
    }
  }

  /// A string that can be the id of a document.
  package var documentID: String? {
    guard case .string(let id) = self, (try? ResourcePath(segments: ["messages", id])) != nil else {
      return nil
    }
    return id
  }

  /// A text that says something, without more combining marks in a row than any language has.
  package var nonEmptyString: String? {
    guard case .string(let string) = self, !string.isEmpty else { return nil }
    return string.limitingCombiningMarks
  }
}
