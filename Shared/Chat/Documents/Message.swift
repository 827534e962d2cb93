package import Core
package import FirestoreModel
import LanguageDetection
import Providers

/// A message, decoded for the functions.
///
/// Fields of the wrong type count as missing.
package struct Message: Sendable {
  package let document: Document
  package var senderID: String?
  package var text: String
  /// The code of the language that the client wrote, or that a function wrote for the current text.
  package var language: String?
  /// The source of `language`; `nil` counts as `client`.
  private let languageSource: LanguageSource?
  /// A Boolean value that indicates whether the client overwrote a language that a function had
  /// written.
  ///
  /// The document then has the client's language and the function's `languageSource`.
  package let isLanguageCorrected: Bool
  /// The server's time in `timestamp`, or in `serverTimestamp`, which other clients write.
  package var timestamp: Timestamp?
  /// The time to copy to `timestamp`, which the message lacks, or `nil` if there is none.
  ///
  /// Queries order messages by `timestamp`, and don't find a message without it.
  package var missingTimestamp: Timestamp? {
    document.fields["timestamp"]?.timestampValue == nil ? timestamp : nil
  }
  /// The time on the client's clock, which orders the messages of one batch.
  package var clientTimestamp: Timestamp?
  /// The recipient's id in the older layout without conversation documents, or `nil`.
  package var recipientID: String?
  /// The users whom `readBy` names.
  ///
  /// `Conversation.hasRead` also knows the receipts that name nobody.
  package var readBy: Set<String>
  /// A Boolean value that indicates whether the field `status` is `read` or `readAt` is a time.
  ///
  /// Neither field says who has read the message.
  package var isMarkedRead: Bool
  /// The client's id for the message, the same each time that the client sends the message again.
  package var clientID: String?
  package var mediaURL: String?
  /// The media's type in the client's terms, such as `image/jpeg` or `video`.
  package var mediaType: String?
  package var hasMedia: Bool { mediaURL != nil }
  private var translations: Fields
  private var translationMeta: Fields
  /// The hash that a translation of the current text must have.
  private let textHash: Value

  package init(_ document: Document) {
    self.document = document
    let fields = document.fields
    senderID = fields["senderId"]?.userID
    text = fields["text"]?.nonEmptyString ?? ""
    timestamp = fields["timestamp"]?.timestampValue ?? fields["serverTimestamp"]?.timestampValue
    clientTimestamp = fields["clientTimestamp"]?.clientTime
    recipientID = fields["recipientId"]?.userID
    readBy = Set(fields["readBy"]?.arrayValue?.compactMap(\.userID) ?? [])
    isMarkedRead = fields["status"] == "read" || fields["readAt"]?.clientTime != nil
    clientID = fields["clientId"]?.shortString ?? fields["tempId"]?.shortString
    mediaURL = fields["mediaURL"]?.nonEmptyString
    mediaType = fields["mediaType"]?.nonEmptyString
    translations = fields["translations"]?.mapValue ?? [:]
    let translationMeta = fields["translationMeta"]?.mapValue ?? [:]
    self.translationMeta = translationMeta
    let textHash = translationMeta.isEmpty ? Value.null : .string(ContentHash.text(text))
    self.textHash = textHash
    let written = fields["language"]?.shortString.flatMap {
      Language.isNone($0) ? nil : $0
    }
    let source = fields["languageSource"]?.shortString.flatMap(LanguageSource.init)
    let isFunctions = source != nil && source != .client
    // Each entry has its source language. Entries that older functions wrote lack it.
    isLanguageCorrected =
      isFunctions && !translationMeta.isEmpty
      && translationMeta.values.allSatisfy {
        guard let found = $0.mapValue?["source"]?.shortString else { return false }
        return found != written
      }
    languageSource = isLanguageCorrected ? .client : source
    // A language that a function found for an earlier text says nothing about the current text.
    let isOfText =
      !isFunctions || isLanguageCorrected
      || translationMeta.values.contains { $0.mapValue?["textHash"] == textHash }
    language = isOfText ? written : nil
  }

  /// Returns a stored translation of the current text, or `nil` if there is none.
  ///
  /// Clients can write `translations`. Only an entry whose hash matches the text counts, so an edit
  /// makes all entries stale. An entry for another language with the same translation, such as `pt`
  /// for `pt-BR`, counts, too.
  ///
  /// - Parameter mayBeOffline: whether translations of the emulator's engines count.
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

  /// Returns the stored translation of the current text for a language code.
  ///
  /// The code is written as in a reader's profile, because the reader's client looks for that code.
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

  /// The outcome of translating the current text for the readers with one language code.
  package struct TranslationOutcome: Hashable, Sendable {
    /// The code, as in the readers' profiles.
    package var code: String
    /// The time when the outcome was written.
    package var time: Timestamp
    /// The code of the source language, or `nil` if the entry has none.
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

  /// The codes of the translations that are of an earlier text or that aren't trusted.
  package var formerTranslations: Set<ByteKey> {
    Set(
      translationMeta.keys.filter {
        guard let hash = translationMeta[$0]?.mapValue?["textHash"] else { return false }
        return hash != textHash
      }
    ).union(distrusted)
  }

  /// The codes of the translations that `distrusting` removed.
  private var distrusted: Set<ByteKey> = []

  /// Returns the message without the translations that were written together with its text.
  ///
  /// A client wrote such translations, because functions neither write a text nor translate it
  /// before it is written. Their hash may match the text, since anybody can compute it. A
  /// translation that a client adds in a later write can't be distinguished from a function's. The
  /// database's security rules must refuse it.
  ///
  /// - Parameters:
  ///   - copy: the message as the write left it, or `nil` if that isn't known. A redelivered event
  ///     has the original copy, without what functions have written since.
  ///   - former: the message before the write, or `nil` if the write created it.
  package func distrusting(_ copy: Document?, since former: Document? = nil) -> Message {
    // Most messages are new and have no translations.
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

  /// Returns a Boolean value that indicates whether another message has the same translation under
  /// a code.
  private func hasEntry(of other: Message, for code: ByteKey) -> Bool {
    translationMeta[code] == other.translationMeta[code]
      && translations[code] == other.translations[code]
  }

  /// The message's sort key in its conversation.
  ///
  /// The client's time is compared, too, because all messages of a batch have the same server time.
  package var position: (Timestamp, Timestamp, ByteKey) {
    let start = Timestamp(seconds: 0)
    return (timestamp ?? start, clientTimestamp ?? start, ByteKey(document.name.id))
  }

  /// The source of a message's language, as in the field `languageSource`.
  package enum LanguageSource: String, Sendable {
    case client, detected
    /// The language of the sender's profile, used if no other language is known.
    case profile
  }

  /// Returns the language of the text, or `nil` if it can't be determined.
  ///
  /// A language that the client or a function wrote counts, unless the text's script contradicts
  /// it. Otherwise the language is detected. If detection fails, the sender's language counts.
  ///
  /// The result depends on the message and its sender alone, so all functions agree. Two languages
  /// for one text would mean two translations to pay for.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an unknown language code.
  package func language(sender: UserProfile?) throws(StatusError) -> Language? {
    try sourceLanguage(sender: sender)?.language
  }

  /// Returns the language of the text together with its source.
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
  /// A Boolean value that indicates whether the message has something to show: a text or an
  /// attachment.
  ///
  /// A message without either, such as one whose picture is being uploaded, isn't a message yet.
  package var hasContent: Bool { hasText || hasMedia }

  /// Returns a Boolean value that indicates whether a text has a visible character.
  ///
  /// A text without one needs no translation.
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
  /// The value as a user's id, or `nil` if it isn't a document id of at most 128 bytes.
  ///
  /// Any other string, such as `a/b`, can't be the id of a profile. As part of a path, it would
  /// lead to another document.
  ///
  /// Source: firebase.google.com/docs/auth/admin/manage-users, where an id has 1 to 128 characters.
  package var userID: String? {
    guard let id = shortString, (try? ResourcePath(segments: ["users", id])) != nil else {
      return nil
    }
    return id
  }

  /// The value as a time on a client's clock: a timestamp, or a number of milliseconds since 1970.
  ///
  /// `Date.now()` in JavaScript returns such milliseconds; those of Swift's `Date` have fractions.
  var clientTime: Timestamp? {
    switch self {
    case .timestamp(let time): time
    case .integer(let milliseconds) where (0..<253_402_300_800_000).contains(milliseconds):
      Timestamp(microseconds: milliseconds * 1_000)
    case .double(let milliseconds) where (0..<253_402_300_800_000).contains(milliseconds):
      Timestamp(microseconds: Int64(milliseconds) * 1_000)
    default: nil
    }
  }

  /// The value as a code or a client's id of 1 to 128 bytes, or `nil` if it is anything else.
  ///
  /// Without this limit, a client could write a mebibyte there.
  package var shortString: String? {
    guard case .string(let string) = self, (1...128).contains(string.utf8.count) else { return nil }
    return string
  }

  /// Returns a Boolean value that indicates whether a setting is on.
  ///
  /// A missing setting is on. A setting of the wrong type is off, since somebody probably meant to
  /// switch it off.
  package static func isOn(_ setting: Value?) -> Bool {
    switch setting {
    case nil, .null, .boolean(true): true
    default: false
    }
  }

  /// The value as a document id, or `nil` if it can't be one.
  package var documentID: String? {
    guard case .string(let id) = self, (try? ResourcePath(segments: ["messages", id])) != nil else {
      return nil
    }
    return id
  }

  /// The value as a text, or `nil` if it is empty or isn't a string.
  ///
  /// The text has no more combining marks in a row than any language uses.
  package var nonEmptyString: String? {
    guard case .string(let string) = self, !string.isEmpty else { return nil }
    return string.limitingCombiningMarks
  }
}
