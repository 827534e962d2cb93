import Core
package import FirestoreModel
package import Providers

/// A translation in the cache, `translations/{key}`.
package struct CachedTranslation: Sendable, Hashable {
  /// How long an entry counts, in seconds.
  package static let timeToLive: Int64 = 2_592_000
  /// How long one counts that nobody has used yet: its message may have been edited or deleted while
  /// it was translated, and what nobody shows is not to be kept.
  static let timeToLiveUnused: Int64 = 3_600

  package var text: String
  package var engine: String
  /// How many uses it has had; about so many, if they are more than `UsageCount.exactLimit`.
  var usageCount: Int64 = 0
  /// Whether it was stored without a use, and none has followed.
  var isUnused = false

  package init(text: String, engine: String) {
    self.text = text
    self.engine = engine
  }

  /// Reads an entry; nil if it has expired, belongs to another text or can't be of it, or if the provider
  /// in use wouldn't have given it: with another glossary, say. The emulator's engines count only for
  /// a provider that may be the emulator.
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
    // An entry that claims to live longer than any of ours isn't believed.
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

  /// Whose an entry is that doesn't say so: Google's, unless its engine does. Of a glossary's nobody
  /// knows which it was.
  private static func provider(behind engine: String) -> String? {
    if engine == TranslationOrigin.libreTranslate { return engine }
    return engine.contains("-glossary") ? nil : TranslationOrigin.google
  }

  /// The write that stores this translation and leaves its usage count as it is.
  ///
  /// - Parameter lifetime: in seconds.
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
    // Google's own has none: another's is taken away.
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(Set(fields.keys).union(["provider"]).sorted().map { FieldPath($0) })
    )
  }

  /// The write that lets an entry live its full time from now on.
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
