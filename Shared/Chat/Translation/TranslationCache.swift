package import FirestoreModel

/// A translation in the cache, `translations/{key}`.
package struct CachedTranslation: Sendable, Hashable {
  /// How long an entry counts, in seconds.
  package static let timeToLive: Int64 = 2_592_000

  package var text: String
  package var engine: String

  package init(text: String, engine: String) {
    self.text = text
    self.engine = engine
  }

  /// Reads an entry; nil if it has expired, belongs to another text or isn't one.
  ///
  /// The expiry is checked here because Firestore deletes expired documents up to a day late.
  package init?(_ document: Document, sourceText: String, now: Timestamp) {
    let fields = document.fields
    guard let text = fields["translatedText"]?.nonEmptyString,
      fields["sourceText"]?.stringValue ?? sourceText == sourceText
    else { return nil }
    let created = fields["createdAt"]?.timestampValue ?? fields["timestamp"]?.timestampValue
    // An entry that claims to live longer than any of ours isn't believed.
    let lifetime = min(max(0, fields["ttl"]?.integerValue ?? .max), Self.timeToLive)
    let expiry =
      fields["expiresAt"]?.timestampValue ?? created?.advanced(by: .seconds(lifetime))
    guard let expiry, expiry > now else { return nil }
    self.text = text
    engine = fields["engine"]?.nonEmptyString ?? "unknown"
  }

  /// The write that stores this translation and leaves its usage count as it is.
  package func write(
    to name: DocumentName,
    sourceText: String,
    from source: Language,
    to target: Language,
    now: Timestamp
  ) -> Write {
    let fields: Fields = [
      "sourceText": .string(sourceText),
      "translatedText": .string(text),
      "sourceLang": .string(source.code),
      "targetLang": .string(target.code),
      "engine": .string(engine),
      "createdAt": .timestamp(now),
      "expiresAt": .timestamp(now.advanced(by: .seconds(Self.timeToLive))),
      "ttl": .integer(Self.timeToLive),
    ]
    return Write(
      .update(Document(name: name, fields: fields)),
      updateMask: FieldMask(fields.keys.sorted().map { FieldPath($0) })
    )
  }
}
