import Core
package import FirestoreModel
package import Providers

/// An entry of the translation cache, `translations/{key}`.
package struct CachedTranslation: Sendable, Hashable {
  /// The lifetime of an entry, in seconds.
  package static let timeToLive: Int64 = 2_592_000
  /// The lifetime of an entry without a use, in seconds.
  ///
  /// The message may have been edited or deleted during the translation. Its former text must not
  /// be kept for long.
  static let timeToLiveUnused: Int64 = 3_600

  package var text: String
  package var engine: String
  /// The number of uses; approximate above `UsageCount.exactLimit`.
  var usageCount: Int64 = 0
  /// A Boolean value that indicates whether the entry was stored without a use and hasn't been used
  /// since.
  var isUnused = false

  package init(text: String, engine: String) {
    self.text = text
    self.engine = engine
  }

  /// Creates a translation from an entry, or `nil` if the entry isn't valid for the text and the
  /// provider.
  ///
  /// An entry is invalid if it has expired, belongs to another text, can't be a translation of the
  /// text, or comes from another provider, for example from another glossary. Entries of the
  /// emulator's engines are valid only for a provider that may be the emulator.
  ///
  /// The expiry is checked here because Firestore deletes expired documents up to a day late.
  package init?(
    _ document: Document,
    sourceText: String,
    origin: TranslationOrigin,
    now: Timestamp
  ) {
    let fields = document.fields
    guard let text = fields["translatedText"]?.nonEmptyString,
      (fields["sourceText"]?.stringValue ?? sourceText).hasSameBytes(as: sourceText),
      TranslatedWords.isPlausible(text, of: sourceText)
    else { return nil }
    let created = fields["createdAt"]?.timestampValue ?? fields["timestamp"]?.timestampValue
    // An entry's `ttl` can't extend its lifetime beyond `timeToLive`.
    let lifetime = min(max(0, fields["ttl"]?.integerValue ?? .max), Self.timeToLive)
    let expiry =
      fields["expiresAt"]?.timestampValue ?? created?.advanced(by: .seconds(lifetime))
    guard let expiry, expiry > now else { return nil }
    let engine = fields["engine"]?.shortString ?? "unknown"
    let provider = fields["provider"].map(\.shortString) ?? Self.provider(behind: engine)
    guard provider == origin.name, origin.mayBeOffline || !OfflineEngine.hasPart(in: engine) else {
      return nil
    }
    self.text = text
    self.engine = engine
    usageCount = UsageCount.of(document)
    isUnused = fields["ttl"]?.integerValue == Self.timeToLiveUnused
  }

  /// Returns the provider of an entry without a `provider` field, or `nil` for a translation with
  /// an unknown glossary.
  ///
  /// The provider is Google, unless the entry's engine is LibreTranslate.
  private static func provider(behind engine: String) -> String? {
    if engine == TranslationOrigin.libreTranslate { return engine }
    return engine.contains("-glossary") ? nil : TranslationOrigin.google
  }

  /// Returns the write that stores this translation and keeps the entry's usage count.
  ///
  /// - Parameter lifetime: the lifetime in seconds.
  package func write(
    to name: DocumentName,
    sourceText: String,
    from source: Language,
    to target: Language,
    origin: TranslationOrigin,
    now: Timestamp,
    lifetime: Int64 = timeToLive
  ) -> Write {
    var fields: Fields = [
      "sourceText": .string(sourceText),
      "translatedText": .string(text),
      "sourceLang": .string(source.code),
      "targetLang": .string(target.code),
      "engine": .string(engine),
      "createdAt": .timestamp(now),
      "expiresAt": .timestamp(now.advanced(by: .seconds(lifetime))),
      "ttl": .integer(lifetime),
    ]
    if origin.name != TranslationOrigin.google { fields["provider"] = .string(origin.name) }
    // Google's entries have no `provider` field. The update mask deletes this field if another
    // provider's entry was stored before.
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(Set(fields.keys).union(["provider"]).sorted().map { FieldPath($0) })
    )
  }

  /// Returns the write that extends an entry's lifetime to `timeToLive` from now on.
  static func prolonged(_ name: DocumentName, now: Timestamp) -> Write {
    let fields: Fields = [
      "expiresAt": .timestamp(now.advanced(by: .seconds(timeToLive))),
      "ttl": .integer(timeToLive),
    ]
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask([FieldPath("expiresAt"), FieldPath("ttl")])
    )
  }
}
