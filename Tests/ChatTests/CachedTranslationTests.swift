import Core
import FirestoreModel
import Providers
import TestKit
import Testing

@testable import Chat

struct CachedTranslationTests {
  private static let now = Timestamp(seconds: 1_700_000_000)
  private static func time(_ offset: Int64) -> Value {
    .timestamp(Timestamp(seconds: now.seconds + offset))
  }
  private static let month = CachedTranslation.timeToLive

  private static let google = TranslationOrigin("google", mayBeOffline: false)

  private func read(
    _ fields: Fields,
    sourceText: String = "Hello",
    origin: TranslationOrigin = google
  ) throws -> CachedTranslation? {
    CachedTranslation(
      try ChatDocuments.document("translations/k", fields),
      sourceText: sourceText,
      origin: origin,
      now: Self.now
    )
  }

  static let living: [Fields] = [
    ["translatedText": "Ciao", "expiresAt": time(1)],
    ["translatedText": "Ciao", "expiresAt": time(1), "sourceText": "Hello", "engine": "nmt"],
    ["translatedText": "Ciao", "createdAt": time(-month + 1)],
    ["translatedText": "Ciao", "createdAt": time(-9), "ttl": 10],
    // Documents of older clients have these field names.
    ["translatedText": "Ciao", "timestamp": time(-9), "ttl": 10, "sourceLanguage": "en"],
    // An invalid expiry counts as missing.
    ["translatedText": "Ciao", "createdAt": time(0), "expiresAt": "tomorrow"],
    ["translatedText": "Ciao", "createdAt": time(0), "ttl": "long"],
    ["translatedText": "Ciao", "createdAt": time(0), "ttl": .integer(.max)],
    ["translatedText": "Ciao\n\t\u{202B}שלום", "createdAt": time(0)],
  ]

  @Test(arguments: living)
  func `an entry counts until it expires`(fields: Fields) throws {
    let entry = try #require(try read(fields))
    #expect(entry.text == fields["translatedText"]?.stringValue)
    #expect(entry.engine == (fields["engine"]?.stringValue ?? "unknown"))
  }

  static let dead: [Fields] = [
    ["translatedText": "Ciao", "expiresAt": time(0)],
    ["translatedText": "Ciao", "expiresAt": time(-1), "createdAt": time(0)],
    ["translatedText": "Ciao", "createdAt": time(-month)],
    ["translatedText": "Ciao", "createdAt": time(-10), "ttl": 10],
    ["translatedText": "Ciao", "timestamp": time(-10), "ttl": 10],
    ["translatedText": "Ciao", "createdAt": time(0), "ttl": 0],
    ["translatedText": "Ciao", "createdAt": time(0), "ttl": -1],
    ["translatedText": "Ciao", "createdAt": time(0), "ttl": .integer(.min)],
    ["translatedText": "Ciao", "createdAt": time(-month), "ttl": .integer(.max)],
    ["translatedText": "Ciao"],
    ["translatedText": "", "expiresAt": time(1)],
    ["expiresAt": time(1)],
    // The key is right, but the translation is of another text.
    ["translatedText": "Ciao", "expiresAt": time(1), "sourceText": "Goodbye"],
    ["translatedText": "Ciao", "expiresAt": time(1), "sourceText": ""],
    // These texts can't be translations.
    ["translatedText": "Ci\u{0}ao", "expiresAt": time(1)],
    ["translatedText": "\u{1B}[2JCiao", "expiresAt": time(1)],
    ["translatedText": .string(String(repeating: "Ciao ", count: 300)), "expiresAt": time(1)],
  ]

  @Test(arguments: dead)
  func `an expired entry, or one of another text, doesn't count`(fields: Fields) throws {
    #expect(try read(fields) == nil)
  }

  @Test func `a translation may have the same odd characters as its text`() throws {
    let fields: Fields = ["translatedText": "a\u{0}b", "expiresAt": Self.time(1)]
    #expect(try read(fields, sourceText: "b\u{0}a")?.text == "a\u{0}b")
  }

  @Test(arguments: Value.everyType)
  func `members of any type are read without harm`(value: Value) throws {
    for member in [
      "translatedText", "expiresAt", "createdAt", "timestamp", "ttl", "engine", "provider",
    ] {
      var fields: Fields = ["translatedText": "Ciao", "createdAt": Self.time(-1)]
      fields[member] = value
      let entry = try read(fields)
      #expect(entry == nil || entry?.text.isEmpty == false)
    }
  }

  @Test func `a stored entry is read again until its month is over`() throws {
    let entry = CachedTranslation(text: "Ciao", engine: "nmt")
    let name = try ChatDocuments.document("translations/k", [:]).name
    let write = entry.write(
      to: name,
      sourceText: "Hello",
      from: try Language("en"),
      to: try Language("pt-BR"),
      origin: Self.google,
      now: Self.now
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    #expect(document.name == name)
    // A translation of Google's standard model has no `provider`. The mask contains the field, so
    // that the write deletes an old value.
    #expect(
      write.updateMask?.fieldPaths.map(\.description)
        == (document.fields.keys + ["provider"]).sorted().map(\.string)
    )
    #expect(document.fields["usageCount"] == nil)
    #expect(document.fields["sourceLang"] == "en")
    #expect(document.fields["targetLang"] == "pt-BR")
    #expect(document.fields["ttl"] == 2_592_000)
    #expect(
      CachedTranslation(
        document,
        sourceText: "Hello",
        origin: Self.google,
        now: Self.now.advanced(by: .seconds(Self.month - 1))
      )
        == entry
    )
    #expect(
      CachedTranslation(
        document,
        sourceText: "Hello",
        origin: Self.google,
        now: Self.now.advanced(by: .seconds(Self.month))
      )
        == nil
    )
  }

  // MARK: Origin

  struct Origin: Sendable {
    var fields: Fields
    var origin: String
    var counts: Bool

    init(_ fields: Fields, for origin: String, _ counts: Bool) {
      self.fields = fields
      self.origin = origin
      self.counts = counts
    }
  }

  static let origins = [
    Origin(["engine": "nmt"], for: "google", true), Origin([:], for: "google", true),
    Origin(["engine": "nmt", "provider": "google"], for: "google", true),
    Origin(["engine": "nmt"], for: "google/us-central1/names", false),
    Origin(["engine": "nmt"], for: "libretranslate", false),
    Origin(["engine": "libretranslate"], for: "libretranslate", true),
    Origin(["engine": "libretranslate"], for: "google", false),
    Origin(["engine": "argos", "provider": "libretranslate"], for: "libretranslate", true),
    Origin(["engine": "argos", "provider": "libretranslate"], for: "google", false),
    Origin(
      ["engine": "nmt-glossary", "provider": "google/us-central1/names"],
      for: "google/us-central1/names",
      true
    ),
    Origin(
      ["engine": "nmt-glossary", "provider": "google/us-central1/names"],
      for: "google/us-central1/others",
      false
    ),
    Origin(
      ["engine": "nmt-glossary", "provider": "google/us-central1/names"],
      for: "google",
      false
    ),
    // The document doesn't name the glossary.
    Origin(["engine": "nmt-glossary"], for: "google/us-central1/names", false),
    Origin(["engine": "nmt+nmt-glossary"], for: "google", false),
    Origin(["engine": "nmt", "provider": 7], for: "google", false),
  ]

  @Test(arguments: origins)
  func `an entry counts only for the provider that would give the same`(origin: Origin) throws {
    let fields = origin.fields.merging(["translatedText": "Ciao", "expiresAt": Self.time(1)]) { $1 }
    for mayBeOffline in [true, false] {
      let asked = TranslationOrigin(origin.origin, mayBeOffline: mayBeOffline)
      #expect(try (read(fields, origin: asked) != nil) == origin.counts)
    }
  }

  @Test(arguments: [
    "phrasebook", "pseudo", "apertium", "phrasebook+pseudo", "nmt+pseudo", "apertium-es-it",
    "phrasebook-glossary",
  ])
  func `an emulator's translation counts only in an emulator`(engine: String) throws {
    let fields: Fields = [
      "translatedText": "⟦it⟧ Hello", "expiresAt": Self.time(1), "engine": .string(engine),
      "provider": "google",
    ]
    #expect(try read(fields) == nil)
    let emulator = TranslationOrigin("google", mayBeOffline: true)
    #expect(try read(fields, origin: emulator)?.engine == engine)
  }

  @Test(arguments: ["nmt", "identity", "pseudonym", "translation-llm", "unknown", ""])
  func `other engines don't count as an emulator's`(engine: String) {
    #expect(!OfflineEngine.hasPart(in: engine))
  }

  @Test(arguments: ["libretranslate", "google/us-central1/names"])
  func `an entry names its provider unless that is Google's own model`(name: String) throws {
    let origin = TranslationOrigin(name, mayBeOffline: false)
    let entry = CachedTranslation(text: "Ciao", engine: "nmt")
    let write = entry.write(
      to: try ChatDocuments.document("translations/k", [:]).name,
      sourceText: "Hello",
      from: try Language("en"),
      to: try Language("it"),
      origin: origin,
      now: Self.now
    )
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    #expect(try read(document.fields, origin: origin) == entry)
    #expect(try read(document.fields) == nil)
  }

  // MARK: Uses

  private func answer(_ fields: Fields) throws -> Translator.Answer {
    let entry = try #require(
      try read(["translatedText": "Ciao", "expiresAt": Self.time(1)].merging(fields) { $1 })
    )
    return Translator.Answer(
      entry,
      at: try ChatDocuments.document("translations/k", [:]).name,
      time: Self.now
    )
  }

  @Test(arguments: [nil, 0, 1, 15, -3, "many"] as [Value?])
  func `a use of an entry changes only the count, and creates no entry`(
    count: Value?
  ) throws {
    var fields: Fields = [:]
    fields["usageCount"] = count
    let writes = try answer(fields).use(by: "m1")
    let write = try #require(writes.first)
    #expect(writes.count == 1)
    #expect(write.updateMask == FieldMask([]))
    #expect(write.updateTransforms == [.init(FieldPath("usageCount"), .increment(1))])
    #expect(write.currentDocument == .exists(true))
  }

  @Test func `most uses of a popular entry write nothing`() throws {
    let answer = try answer(["usageCount": 80_000])
    let writes = (0..<1_000).flatMap { answer.use(by: "m\($0)") }
    #expect(writes.count < 20)
    #expect(writes.allSatisfy { $0.updateTransforms.first?.operation == .increment(8_192) })
  }

  @Test(arguments: [nil, 1, 1_000] as [Value?])
  func `the first use of an unused entry extends its life to a month`(count: Value?) throws {
    var fields: Fields = ["ttl": .integer(CachedTranslation.timeToLiveUnused)]
    fields["usageCount"] = count
    let writes = try answer(fields).use(by: "m1")
    let write = try #require(writes.first)
    #expect(writes.count == 1)
    guard case .update(let document) = write.operation else {
      Issue.record("not an update")
      return
    }
    #expect(
      document.fields == ["ttl": .integer(Self.month), "expiresAt": Self.time(Self.month)]
    )
    #expect(write.updateMask?.fieldPaths == [FieldPath("expiresAt"), FieldPath("ttl")])
    #expect(write.updateTransforms == [.init(FieldPath("usageCount"), .increment(1))])
    #expect(write.currentDocument == .exists(true))
  }
}
