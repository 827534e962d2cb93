import Core
import FirestoreModel
import Providers
import TestKit
import Testing

@testable import Chat

/// The copies of a cached translation, under the keys that clients compute.
struct CodePairTests {
  private static let now = Timestamp(seconds: 1_700_000_000)
  private static let expiry: Value = .timestamp(Timestamp(seconds: 1_700_000_100))

  private func request(_ text: String = "Hello") throws -> Translator.Request {
    Translator.Request(text, from: try Language("en"), to: try Language("pt-BR"))
  }

  private func pair(_ source: String, _ target: String) -> CodePair {
    CodePair(source: source, target: target)
  }

  private func answer(_ fields: Fields = [:], text: String = "Hello") throws -> Translator.Answer {
    let fields: Fields = [
      "sourceText": .string(text), "translatedText": "Olá", "expiresAt": Self.expiry,
      "createdAt": .timestamp(Self.now), "engine": "nmt", "ttl": 100, "usageCount": 3,
    ].merging(fields) { $1 }
    let document = try ChatDocuments.document("translations/k", fields)
    let entry = CachedTranslation(
      document,
      sourceText: text,
      origin: TranslationOrigin("google", mayBeOffline: false),
      now: Self.now
    )
    return Translator.Answer(
      try #require(entry),
      in: document,
      of: try request(text),
      time: Self.now
    )
  }

  @Test func `a client's key has the codes as the client has them`() {
    #expect(
      ContentHash.translation(
        of: "Hey, let's meet for coffee tomorrow!",
        for: pair("en", "pt-BR")
      ) == "06b782e3b68f4699d74639387df6f515619b6b7a9d7bed27d4cdd775623068ab"
    )
  }

  @Test func `a copy has the entry's translation and expiry, and counts no uses`() throws {
    let codes = [pair("en", "pt-BR"), pair("en-US", "pt_BR")]
    let answer = try answer(["copies": ["en|pt_BR"], "unknown": "x"])
    let writes = answer.use(by: "m1", copyingFor: answer.codesWithoutCopy(among: codes))
    #expect(writes.count == 3)
    #expect(writes[0].name == answer.entry)
    #expect(writes[0].updateMask == FieldMask([]))
    #expect(writes[0].currentDocument == .exists(true))
    #expect(
      writes[0].updateTransforms == [
        .init(FieldPath("usageCount"), .increment(1)),
        .init(FieldPath("copies"), .appendMissingElements(["en-US|pt_BR", "en|pt-BR"])),
      ]
    )
    for (write, codes) in zip(writes[1...], codes.reversed()) {
      #expect(
        write
          == Write(
            .update(
              Document(
                name: try ChatDocuments.document(
                  "translations/\(ContentHash.translation(of: "Hello", for: codes))",
                  [:]
                ).name,
                fields: [
                  "sourceText": "Hello", "translatedText": "Olá", "engine": "nmt", "ttl": 100,
                  "createdAt": .timestamp(Self.now), "timestamp": .timestamp(Self.now),
                  "expiresAt": Self.expiry, "sourceLang": .string(codes.source),
                  "sourceLanguage": .string(codes.source), "targetLang": .string(codes.target),
                  "targetLanguage": .string(codes.target),
                ]
              )
            )
          )
      )
    }
  }

  @Test func `a popular entry is written only for a new copy`() throws {
    let popular = try answer(["usageCount": 80_000, "copies": ["en|pt-BR"]])
    let old = popular.codesWithoutCopy(among: [pair("en", "pt-BR"), pair("en", "pt")])
    #expect(old == [])
    let isCounted = popular.use(by: "m1").count == 1
    #expect(!isCounted)
    let new = popular.codesWithoutCopy(among: [pair("en", "pt_BR")])
    let writes = popular.use(by: "m1", copyingFor: new)
    #expect(writes.map(\.updateTransforms.count) == [1, 0])
  }

  @Test func `a copy made at an entry's first use lives as long as the entry`() throws {
    let unused = try answer(["ttl": .integer(CachedTranslation.timeToLiveUnused)])
    let codes = unused.codesWithoutCopy(among: [pair("en", "pt-BR")])
    let fields = unused.use(by: "m1", copyingFor: codes).map { write in
      if case .update(let document) = write.operation { document.fields } else { [:] as Fields }
    }
    #expect(fields.count == 2)
    for name in ["expiresAt", "ttl"] as [ByteKey] {
      #expect(fields[0][name] != nil)
      #expect(fields[0][name] == fields[1][name])
    }
    #expect(fields[1]["ttl"] == .integer(CachedTranslation.timeToLive))
  }

  /// Codes that name no copy of a translation from English to Brazilian Portuguese.
  static let foreign = [
    ("en", "pt"), ("en", "pt-PT"), ("en", "it"), ("de", "pt-BR"), ("", ""), ("en", ""),
    ("en", "pt-BR|x"), ("en|en", "pt-BR"), ("../users", "marco"), ("english", "pt-BR"),
    ("en", "pt-BR\u{0}"), ("en", String(repeating: "pt-BR", count: 100_000)), ("еn", "pt-BR"),
  ]

  @Test(arguments: foreign)
  func `codes of other languages or of none get no copy`(source: String, target: String) throws {
    #expect(try answer().codesWithoutCopy(among: [pair(source, target)]) == [])
    let listed: Fields = ["copies": [.string("\(source)|\(target)"), "en|pt_BR"]]
    let entry = try ChatDocuments.document("translations/k", listed)
    #expect(try request().copies(of: entry).count == 1)
  }

  @Test(arguments: Value.everyType)
  func `a list of any type is read without harm`(value: Value) throws {
    for copies in [value, .array([value, "en|pt-BR", value])] {
      let fields: Fields = ["copies": copies]
      let names = try request().copies(of: ChatDocuments.document("translations/k", fields))
      #expect(names.count == (copies == value ? 0 : 1))
      #expect(try answer(fields).codesWithoutCopy(among: [pair("en", "pt_BR")]).count == 1)
    }
  }

  @Test func `an entry has sixteen copies at most`() throws {
    let codes = (0..<64).map { number in
      let letters = "enptbr".enumerated().map { index, letter in
        number >> index & 1 == 0 ? String(letter) : letter.uppercased()
      }.joined()
      let (source, target) = (letters.prefix(2), letters.dropFirst(2).prefix(2))
      return pair(String(source), "\(target)-\(letters.suffix(2))")
    }
    #expect(Set(codes).count == 64)
    #expect(try answer().codesWithoutCopy(among: codes).count == 16)
    let list = Value.array(codes.map { .string($0.description) })
    let full = try answer(["copies": list])
    #expect(full.codesWithoutCopy(among: [pair("en-GB", "pt-BR")]) == [])
    let entry = try ChatDocuments.document("translations/k", ["copies": list])
    #expect(try request().copies(of: entry).count == CodePair.maximumListed)
  }

  @Test func `a very long text isn't copied`() throws {
    for (length, count) in [(60_000, 1), (66_000, 0)] {
      let text = String(repeating: "word ", count: length / 5)
      let answer = try answer(
        ["translatedText": .string(String(repeating: "a ", count: 2_000))],
        text: text
      )
      #expect(answer.codesWithoutCopy(among: [pair("en", "pt-BR")]).count == count)
    }
  }
}
