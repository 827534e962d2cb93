import Chat
import Core
import FirestoreModel
import TestKit
import Testing

@testable import analyzeMessage

struct AnalysisPlanTests {
  /// A message from Sarah, its conversation and the profiles of its members. A test may change each
  /// of them.
  private struct Scene {
    var message: Fields = ["senderId": "sarah", "text": "Break a leg!", "language": "en"]
    var conversation: Fields = ["participants": ["sarah", "marco", "lea", "gianna"]]
    var profiles: [String: Fields] = [
      "sarah": ["primaryLanguage": "en"], "marco": ["primaryLanguage": "it"],
      "gianna": ["primaryLanguage": "it"], "lea": ["primaryLanguage": "fr"],
    ]

    func decide(claim: Language? = nil) throws -> AnalysisPlan.Decision {
      var users: [String: UserProfile] = [:]
      for (uid, fields) in profiles {
        users[uid] = UserProfile(try ChatDocuments.user(uid, fields))
      }
      return AnalysisPlan.decide(
        message: Message(try ChatDocuments.message(message)),
        conversation: try Conversation(ChatDocuments.conversation(conversation)),
        profiles: users,
        claim: claim
      )
    }

    func codes(claim: Language? = nil) throws -> [String]? {
      guard case .analyze(let plan) = try decide(claim: claim) else { return nil }
      return [plan.source.code] + plan.languages.map(\.code)
    }
  }

  @Test func `the readers' other languages are listed once, in the order of participants`() throws {
    #expect(try Scene().codes() == ["en", "it", "fr"])
  }

  @Test func `in a group, variants of a language share one analysis, whoever comes first`() throws {
    var scene = Scene()
    scene.profiles["marco"] = ["primaryLanguage": "pt-BR"]
    scene.profiles["gianna"] = ["primaryLanguage": "pt"]
    scene.profiles["lea"] = ["primaryLanguage": "zh-TW"]
    #expect(try scene.codes() == ["en", "pt", "zh-TW"])
    scene.profiles["gianna"] = ["primaryLanguage": "zh-CN"]
    guard case .analyze(let plan) = try scene.decide() else { return #expect(Bool(false)) }
    #expect(plan.recipient == nil)
    #expect(plan.languages.map(\.code) == ["pt", "zh-TW", "zh-CN"])
    for (reader, code) in [
      ("pt-PT", "pt"), ("pt_br", "pt"), ("zh-Hant", "zh-TW"), ("zh", "zh-CN"), ("es-419", "es"),
      ("iw", "he"), ("nb-NO", "no"), ("sr-Latn", "sr"), ("ms-Arab-BN", "ms-Arab"),
      ("pa-PK", "pa-Arab"),
    ] { #expect(plan.language(for: try Language(reader)).code == code) }
  }

  @Test func `between two people, the recipient's variant is the analysis's language`() throws {
    var scene = Scene()
    scene.conversation["participants"] = ["sarah", "marco"]
    scene.profiles["marco"] = ["primaryLanguage": "pt_br"]
    guard case .analyze(let plan) = try scene.decide() else { return #expect(Bool(false)) }
    #expect(plan.recipient?.code == "pt-BR")
    #expect(plan.languages.map(\.code) == ["pt-BR"])
    for (reader, code) in [("pt-PT", "pt-BR"), ("es-MX", "es")] {
      #expect(plan.language(for: try Language(reader)).code == code)
    }
  }

  @Test(
    arguments: [
      (["type": "group", "participants": ["sarah", "marco"]], nil),
      (["participants": ["sarah", "marco"]], "it"),
      (["type": "one-on-one", "participants": ["marco", "sarah", "marco"]], "it"),
      (["type": "one-on-one", "participants": ["sarah", "marco", "lea"]], nil),
      (["participants": ["gianna", "marco"]], nil), (["participants": ["sarah"]], nil),
      (["participants": ["sarah", "nobody"]], nil),
      (["participants": ["sarah", "marco"], "languageOverrides": ["marco": "fr"]], "fr"),
    ] as [(Fields, String?)]
  )
  func `only a message between two people has a recipient`(
    conversation: Fields,
    recipient: String?
  ) throws {
    var scene = Scene()
    scene.conversation = conversation
    guard case .analyze(let plan) = try scene.decide() else { return #expect(Bool(false)) }
    #expect(plan.recipient?.code == recipient)
  }

  @Test func `nothing is explained to a reader who doesn't want it`() throws {
    var scene = Scene()
    scene.profiles["marco"]?["secondaryLanguages"] = ["fr", "en-GB"]
    scene.profiles["lea"]?["translationMode"] = "onDemand"
    #expect(try scene.codes() == ["en", "it"])
    scene.profiles["gianna"]?["translationMode"] = "never"
    #expect(try scene.codes() == ["en"])
    // The analysis that the recipient's call pays for has the same place as others.
    scene.conversation["participants"] = ["sarah", "lea"]
    guard case .analyze(let plan) = try scene.decide() else { return #expect(Bool(false)) }
    #expect(plan.languages.isEmpty)
    #expect(plan.recipient?.code == "fr")
  }

  @Test func `a member who joined later is no reader`() throws {
    var scene = Scene()
    let time = Timestamp(seconds: 1_700_000_000)
    scene.message["timestamp"] = .timestamp(time)
    scene.conversation["joinedAt"] = [
      "lea": .timestamp(time.advanced(by: .seconds(1))), "marco": .timestamp(time),
    ]
    #expect(try scene.codes() == ["en", "it"])
  }

  @Test(arguments: [
    (["sarah", "marco"], ["en", "it"]), (["lea", "sarah", "marco"], ["en", "fr", "it"]),
    (["sarah"], ["en"]), (["sarah", "unknown"], ["en"]),
  ])
  func `members without another known language don't count`(
    participants: [String],
    codes: [String]
  ) throws {
    var scene = Scene()
    scene.conversation["participants"] = .array(participants.map(Value.string))
    #expect(try scene.codes() == codes)
  }

  @Test func `a claimed language counts only if the language is otherwise unknown`()
    throws
  {
    var scene = Scene()
    let german = try Language("de")
    #expect(try scene.codes(claim: german)?.first == "en")
    scene.message["language"] = nil
    #expect(try scene.codes(claim: german)?.first == "en")
    scene.profiles["sarah"] = [:]
    #expect(try scene.codes(claim: german)?.first == "en")
    scene.message["text"] = "Hmm 🙂"
    #expect(try scene.codes(claim: german)?.first == "de")
    #expect(try scene.decide() == .skip(reason: "the message's language is unknown"))
  }

  @Test(
    arguments: [
      ("text", "", "the message has no text"),
      ("text", "\u{200B} \n", "the message has no text"),
      ("text", 7, "the message has no text"),
      ("language", "xx", "the message's language is not a known language code"),
      (
        "text", .string(String(repeating: "a", count: 2_001)),
        "the text is longer than 2000 characters"
      ),
    ] as [(String, Value, String)]
  )
  func `a message that can't be analyzed is skipped with the reason`(
    field: String,
    value: Value,
    reason: String
  ) throws {
    var scene = Scene()
    scene.message[field] = value
    #expect(try scene.decide() == .skip(reason: reason))
  }

  @Test func `consent is checked before the languages`() throws {
    var scene = Scene()
    scene.conversation["settings"] = ["ai": false]
    #expect(try scene.decide() == .skip(reason: "AI is off in this conversation"))
    scene.conversation["settings"] = ["translation": false]
    #expect(try scene.codes() != nil)
    scene.profiles["sarah"]?["aiOptOut"] = true
    #expect(try scene.decide() == .skip(reason: "the sender has opted out of AI"))
  }
}
