import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import translateMessage

struct TranslationPlanTests {
  private static let english = "Hello"

  /// A message from Sarah, its conversation and the profiles of its members. A test may change each
  /// of them.
  private struct Scene {
    var message: Fields = ["senderId": "sarah", "text": "Hello", "language": "en"]
    var conversation: Fields = ["participants": ["sarah", "marco"]]
    var profiles: [String: Fields] = [
      "sarah": ["primaryLanguage": "en"], "marco": ["primaryLanguage": "it"],
      "yuki": ["primaryLanguage": "ja"], "ana": ["language": "pt-BR"],
    ]

    func decide() throws -> TranslationPlan.Decision {
      var users: [String: UserProfile] = [:]
      for (uid, fields) in profiles {
        users[uid] = UserProfile(try ChatDocuments.user(uid, fields))
      }
      return TranslationPlan.decide(
        message: Message(try ChatDocuments.message(message)),
        conversation: try Conversation(ChatDocuments.conversation(conversation)),
        profiles: users,
        mayBeOffline: false
      )
    }

    func plan() throws -> TranslationPlan {
      switch try decide() {
      case .translate(let plan): return plan
      case .skip(let reason):
        Issue.record("skipped: \(reason)")
        throw CancellationError()
      }
    }
  }

  private func codes(_ targets: [TranslationTarget]) -> [String] { targets.map(\.code) }

  // MARK: Readers

  @Test(arguments: [
    (["sarah", "marco"], ["it"]),
    (["sarah", "marco", "yuki", "ana"], ["it", "ja", "pt-BR"]),
    (["marco", "yuki"], ["it", "ja"]),
    (["sarah"], []), ([], []), (["sarah", "sarah"], []), (["marco", "marco"], ["it"]),
  ])
  func `each language of the readers is translated into once, the sender's never`(
    participants: [String],
    missing: [String]
  ) throws {
    var scene = Scene()
    scene.conversation["participants"] = .array(participants.map(Value.string))
    let plan = try scene.plan()
    #expect(plan.source == .init(language: try Language("en"), teller: .client))
    #expect(codes(plan.missing) == missing)
    #expect(plan.present.isEmpty)
    #expect(plan.skippedReaders.isEmpty)
  }

  @Test(arguments: [
    ("en", "en", []), ("en", "en-GB", []), ("pt-PT", "pt-BR", []), ("iw", "he", []),
    ("zh-TW", "zh-CN", ["zh-CN"]), ("zh-TW", "zh-HK", []), ("en", "IT_ch", ["IT_ch"]),
  ])
  func `a reader of the message's language needs no translation`(
    source: String,
    reader: String,
    missing: [String]
  ) throws {
    var scene = Scene()
    scene.message["language"] = .string(source)
    scene.profiles["marco"] = ["primaryLanguage": .string(reader)]
    #expect(codes(try scene.plan().missing) == missing)
  }

  @Test func `readers of one language share a translation`() throws {
    var scene = Scene()
    scene.conversation["participants"] = ["sarah", "a", "b", "c"]
    for uid in ["a", "b", "c"] { scene.profiles[uid] = ["primaryLanguage": "it"] }
    #expect(codes(try scene.plan().missing) == ["it"])
  }

  struct Sharing: Sendable {
    /// The languages in the readers' profiles.
    var readers: [String]
    /// The expected codes under which the readers' clients look for a translation.
    var codes: [String]
    /// The expected languages of requests to the provider.
    var asked: [String]
  }

  @Test(arguments: [
    Sharing(readers: ["pt", "pt-BR", "PT-br"], codes: ["PT-br", "pt", "pt-BR"], asked: ["pt"]),
    Sharing(readers: ["pt-BR", "pt-PT"], codes: ["pt-BR", "pt-PT"], asked: ["pt", "pt-PT"]),
    Sharing(
      readers: ["zh_CN", "zh-Hans", "zh", "zh-TW", "zh-HK", "zh-Hant"],
      codes: ["zh", "zh-HK", "zh-Hans", "zh-Hant", "zh-TW", "zh_CN"],
      asked: ["zh-CN", "zh-TW"]
    ),
    Sharing(readers: ["iw", "he"], codes: ["he", "iw"], asked: ["he"]),
    Sharing(readers: ["in", "id"], codes: ["id", "in"], asked: ["id"]),
    Sharing(readers: ["no", "nb", "nb-NO"], codes: ["nb", "nb-NO", "no"], asked: ["no"]),
    Sharing(readers: ["sr-Latn", "sr-Cyrl"], codes: ["sr-Cyrl", "sr-Latn"], asked: ["sr"]),
    Sharing(readers: ["en-GB", "EN", "es-419", "es"], codes: ["es", "es-419"], asked: ["es"]),
  ])
  func `readers get their own codes, and equal languages are requested once`(
    sharing: Sharing
  ) throws {
    var scene = Scene()
    scene.conversation["participants"] = .array(
      (["sarah"] + sharing.readers).map(Value.string)
    )
    for code in sharing.readers { scene.profiles[code] = ["primaryLanguage": .string(code)] }
    let plan = try scene.plan()
    #expect(codes(plan.missing) == sharing.codes)
    let requests = plan.requests(for: Message(try ChatDocuments.message(scene.message)))
    #expect(requests.keys.map(\.code).sorted() == sharing.codes)
    #expect(Set(requests.values.map(\.target.code)).sorted() == sharing.asked)
  }

  @Test func `a reader without a known language is skipped with the reason, the others are not`()
    throws
  {
    var scene = Scene()
    scene.conversation["participants"] = [
      "sarah", "marco", "nobody", "klingon", "number", .null, 7, "a/b",
    ]
    scene.profiles["klingon"] = ["primaryLanguage": "tlh\u{202E}"]
    scene.profiles["number"] = ["primaryLanguage": 7]
    let plan = try scene.plan()
    #expect(codes(plan.missing) == ["it"])
    #expect(
      plan.skippedReaders == [
        .init(uid: "nobody", reason: "no language in the profile"),
        .init(uid: "klingon", reason: "unknown language code \"tlh\""),
        .init(uid: "number", reason: "no language in the profile"),
      ]
    )
  }

  @Test func `nothing is translated for a reader who doesn't want it`() throws {
    var scene = Scene()
    scene.conversation["participants"] = ["sarah", "marco", "yuki", "ana"]
    scene.profiles["marco"]?["translationMode"] = "never"
    scene.profiles["yuki"]?["secondaryLanguages"] = ["en"]
    #expect(codes(try scene.plan().missing) == ["pt-BR"])
    scene.profiles["ana"]?["translationMode"] = "onDemand"
    scene.message["translations"] = ["it": "Ciao"]
    scene.message["translationMeta"] = ["it": Self.meta(of: Self.english)]
    let plan = try scene.plan()
    #expect(plan.missing.isEmpty && plan.present.isEmpty && plan.skippedReaders.isEmpty)
  }

  // MARK: Existing translations

  private static func meta(of text: String) -> Value {
    ["textHash": .string(ContentHash.text(text)), "engine": "nmt"]
  }

  static let stored: [(translations: Value, meta: Value, isPresent: Bool)] = [
    (["it": "Ciao"], ["it": meta(of: english)], true),
    (["it": "Ciao"], ["it": meta(of: "an older text")], false),
    // A sender can forge a translation, so one without the text's hash doesn't count.
    (["it": "forged"], [:], false),
    (["it": "forged"], ["it": "forged"], false),
    (["it": "forged"], ["fr": meta(of: english)], false),
    ([:], ["it": meta(of: english)], false),
    (["it": 7], ["it": meta(of: english)], false),
    (
      ["it": "Ciao"],
      ["it": ["textHash": .string(ContentHash.text(english)), "error": "UNAVAILABLE"]], false
    ),
    // A translation by the emulator's phrasebook counts only in an emulator.
    (
      ["it": "Ciao"],
      ["it": ["textHash": .string(ContentHash.text(english)), "engine": "phrasebook"]], false
    ),
    ("text", true, false),
  ]

  @Test(arguments: stored)
  func `an existing translation of the current text is not made again`(
    translations: Value,
    meta: Value,
    isPresent: Bool
  ) throws {
    var scene = Scene()
    scene.message["translations"] = translations
    scene.message["translationMeta"] = meta
    let plan = try scene.plan()
    #expect(codes(plan.present) == (isPresent ? ["it"] : []))
    #expect(codes(plan.missing) == (isPresent ? [] : ["it"]))
  }

  // MARK: Messages left alone

  static let skips: [(message: Fields, conversation: Fields, sarah: Fields, reason: String)] = [
    (["text": ""], [:], [:], "the message has no text"),
    (["text": " \u{200B}\n"], [:], [:], "the message has no text"),
    (["text": 7], [:], [:], "the message has no text"),
    (["text": "👍 https://example.com 10:30"], [:], [:], "the text has nothing to translate"),
    (
      ["text": .string(String(repeating: "x", count: 30_001))], [:], [:],
      "the text is longer than 30000 characters"
    ),
    (
      ["text": .string(String(repeating: "x", count: 100_000))], [:], [:],
      "the text is longer than 30000 characters"
    ),
    ([:], ["settings": ["translation": false]], [:], "translation is off in this conversation"),
    ([:], [:], ["aiOptOut": true], "the sender has opted out of translation"),
    (
      ["text": "Hmm 🙂", "language": .null], [:], ["primaryLanguage": 7],
      "the message's language is unknown"
    ),
    (
      ["text": "Hmm 🙂", "language": ""], [:], ["primaryLanguage": ""],
      "the message's language is unknown"
    ),
    (["language": "xx"], [:], [:], "the message's language is not a known language code"),
    (
      ["text": "Hmm 🙂", "language": .null], [:], ["primaryLanguage": "xx"],
      "the message's language is not a known language code"
    ),
  ]

  @Test(arguments: skips)
  func `a message that isn't translated has the reason`(
    message: Fields,
    conversation: Fields,
    sarah: Fields,
    reason: String
  ) throws {
    var scene = Scene()
    scene.message.merge(message) { _, new in new }
    scene.conversation.merge(conversation) { _, new in new }
    scene.profiles["sarah"]?.merge(sarah) { _, new in new }
    #expect(try scene.decide() == .skip(reason: reason))
  }

  @Test func `30,000 characters are translated, however many bytes`() throws {
    var scene = Scene()
    scene.message["text"] = .string(String(repeating: "你", count: 30_000))
    #expect(codes(try scene.plan().missing) == ["it"])
  }

  @Test func `a message without a language has its sender's`() throws {
    var scene = Scene()
    scene.message["language"] = nil
    scene.profiles["sarah"] = ["language": "FR"]
    #expect(try scene.plan().source.language.code == "fr")
  }

  @Test func `a message without a sender is translated for everybody`() throws {
    var scene = Scene()
    scene.message["senderId"] = 7
    #expect(codes(try scene.plan().missing) == ["it"])
  }
}
