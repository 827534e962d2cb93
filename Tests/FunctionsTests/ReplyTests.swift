import Chat
import Core
import FirestoreModel
import Providers
import TestKit
import Testing

@testable import smartReplies

/// A conversation with Sarah as Marco sees it. A test may change each part.
private struct Scene {
  var participants = ["sarah", "marco"]
  var messages: [Fields] = [
    ["senderId": "marco", "text": "Ciao 😊", "language": "it"],
    ["senderId": "sarah", "text": "Shall we have dinner?", "language": "en"],
  ]
  var profiles: [String: Fields] = [
    "sarah": ["primaryLanguage": "en"], "marco": ["primaryLanguage": "it"],
    "lea": ["primaryLanguage": "fr"],
  ]
  var conversation: Fields = [:]

  var texts: [String] { messages.compactMap { $0["text"]?.stringValue } }

  func view() throws -> MemberView {
    var fields = conversation
    fields["participants"] = .array(participants.map(Value.string))
    let people = try Dictionary(
      uniqueKeysWithValues: profiles.map { uid, fields in
        (uid, UserProfile(try ChatDocuments.user(uid, fields)))
      }
    )
    let messages = try messages.enumerated().map { index, fields in
      var fields = fields
      fields["timestamp"] = fields["timestamp"] ?? .timestamp(Timestamp(seconds: Int64(index)))
      return Message(try ChatDocuments.message(fields, id: "id-\(index)"))
    }
    return MemberView(
      uid: "marco",
      conversation: try Conversation(ChatDocuments.conversation(fields)),
      messages: messages,
      profiles: people
    )
  }

  func prompt() throws -> Prompt {
    let view = try view()
    return try ReplyPrompt.prompt(view.window, replier: "P2", plan: ReplyPlan(view))
  }
}

struct ReplyPlanTests {
  @Test func `replies are in the languages of the member and of the last other sender`() throws {
    let plan = try ReplyPlan(Scene().view())
    #expect(plan.language.code == "it")
    #expect(plan.otherLanguage.code == "en")
    #expect(plan.style == ReplyStyle(of: ["Ciao 😊"], in: plan.language))
    #expect(plan.style.averageCharacters == 6)
  }

  @Test func `in a group, the last other sender is the other side`() throws {
    var scene = Scene()
    scene.participants = ["sarah", "marco", "lea"]
    scene.messages.append(["senderId": "lea", "text": "Oui", "language": "fr"])
    scene.messages.append(["senderId": "marco", "text": "Boh", "language": "it"])
    #expect(try ReplyPlan(scene.view()).otherLanguage.code == "fr")
    scene.conversation["languageOverrides"] = ["lea": "de", "marco": "es"]
    let plan = try ReplyPlan(scene.view())
    #expect([plan.language.code, plan.otherLanguage.code] == ["es", "de"])
  }

  @Test func `the language of a sender who left is the message's, or else another member's`() throws
  {
    var scene = Scene()
    scene.profiles["sarah"] = nil
    #expect(try ReplyPlan(scene.view()).otherLanguage.code == "en")
    scene.messages = [["senderId": "marco", "text": "Ciao"]]
    scene.participants = ["sarah", "lea", "marco"]
    #expect(try ReplyPlan(scene.view()).otherLanguage.code == "fr")
    scene.participants = ["marco"]
    #expect(try ReplyPlan(scene.view()).otherLanguage.code == "it")
  }

  @Test func `the newest message of another gives the intent, in its own language`() throws {
    var scene = Scene()
    scene.messages += [
      ["senderId": "sarah", "text": "Grazie!", "language": "it"],
      ["senderId": "marco", "text": "Come stai?", "language": "it"],
    ]
    #expect(try ReplyPlan(scene.view()).intent == .thanks)
    scene.messages = [["senderId": "marco", "text": "Come stai?", "language": "it"]]
    #expect(try ReplyPlan(scene.view()).intent == .other)
  }

  @Test func `without a message or a language there is no reply`() throws {
    var scene = Scene()
    scene.profiles["marco"] = [:]
    var error = #expect(throws: StatusError.self) { try ReplyPlan(scene.view()) }
    #expect(error?.code == .failedPrecondition)
    scene.profiles["marco"] = ["primaryLanguage": "no language"]
    error = #expect(throws: StatusError.self) { try ReplyPlan(scene.view()) }
    #expect(error?.code == .failedPrecondition)
    for messages: [Fields] in [[], [["senderId": "sarah"]], [["text": "by nobody"]]] {
      scene = Scene()
      scene.messages = messages
      error = #expect(throws: StatusError.self) { try ReplyPlan(scene.view()) }
      #expect(error?.message == "there is no message to reply to")
    }
  }
}

struct ReplyStyleTests {
  @Test(arguments: [
    ("fr", ["Pourriez-vous me dire l'heure ?", "Merci à vous"], ReplyStyle.Formality.formal),
    ("fr", ["Tu viens ?"], .informal), ("de", ["Ich schicke es Ihnen"], .formal),
    ("de", ["Bringst du Brot mit?"], .informal), ("de", ["Sie kommt später"], nil),
    ("es", ["¿Le parece bien a usted?"], .formal), ("en", ["hey u there?"], .informal),
    ("en", ["See you at six."], nil), ("it", ["Ti chiamo dopo"], .informal),
    ("ja", ["はい"], nil), ("fr", ["Vous et toi"], nil), ("fr", [], nil),
  ])
  func `formality is detected by the member's own messages`(
    language: String,
    texts: [String],
    formality: ReplyStyle.Formality?
  ) throws {
    #expect(ReplyStyle(of: texts, in: try Language(language)).formality == formality)
  }

  @Test func `one emoji in many messages is no habit`() throws {
    let language = try Language("en")
    #expect(!ReplyStyle(of: ["a", "b", "c", "d", "e 😀"], in: language).usesEmoji)
    #expect(ReplyStyle(of: ["a", "b", "c", "d 😀"], in: language).usesEmoji)
    let silent = ReplyStyle(of: [], in: language)
    #expect(silent.averageCharacters == nil)
    #expect(!silent.usesEmoji)
  }

  @Test func `other people's messages don't count for the style`() throws {
    var scene = Scene()
    scene.messages.append(["senderId": "sarah", "text": "Ti voglio bene 😊😊", "language": "it"])
    let style = try ReplyPlan(scene.view()).style
    #expect(style.averageCharacters == 6)
    #expect(style.formality == .informal, "Ciao")
  }
}

struct SuggestionsTests {
  @Test func `another's message is not suggested as one's own`() throws {
    let scene = Scene()
    let plan = try ReplyPlan(scene.view())
    let checks = ModelText(try scene.prompt(), said: scene.texts)
    let suggestions = Suggestions(
      suggestions: [
        .init(text: "Il codice è in cucina, amore mio", translation: "Gladly!"),
        .init(text: "Oggi non posso.", translation: "I can't today."),
        .init(text: "A che ora?", translation: "At what time?"),
      ]
    )
    let problem = suggestions.problem(
      plan,
      checks: checks,
      others: ["il codice e in cucina AMORE MIO!", "A che ora?"]
    )
    #expect(problem == "a suggestion repeats another's message")
    #expect(suggestions.problem(plan, checks: checks, others: ["A che ora?"]) == nil)
  }

  private static func problem(
    _ texts: [String],
    _ translations: [String] = ["With pleasure!", "I can't today.", "At what time?"]
  ) throws -> String? {
    let scene = Scene()
    let plan = try ReplyPlan(scene.view())
    return Suggestions(
      suggestions: zip(texts, translations).map { .init(text: $0, translation: $1) }
    )
    .problem(plan, checks: ModelText(try scene.prompt(), said: scene.texts))
  }

  @Test func `three different suggestions are accepted`() throws {
    #expect(try Self.problem(["Volentieri!", "Oggi non posso.", "A che ora?"]) == nil)
  }

  @Test(arguments: [
    (["Volentieri!", "Oggi non posso."], "there are not exactly three suggestions"),
    (["Volentieri!", "volentieri", "A che ora?"], "two suggestions say the same"),
    (["Volentieri!", "", "A che ora?"], "text is empty"),
    (["Volentieri!", "a\nb", "A che ora?"], "text has characters that can't be seen"),
    (
      ["Volentieri!", "Vedi www.evil.example", "A che ora?"],
      "text has a link, an address or a number"
    ),
    (["Volentieri!", "**[qui](x)**", "A che ora?"], "text has markup"),
    (
      ["Volentieri!", "I would love to see you there", "A che ora?"],
      "text is not in the language it"
    ),
    (
      ["Volentieri!", String(repeating: "no ", count: 41), "A che ora?"],
      "text is longer than 120 characters"
    ),
  ])
  func `each kind of invalid suggestions is named`(texts: [String], problem: String) throws {
    #expect(try Self.problem(texts) == problem)
  }

  @Test(arguments: [["Happy birthday!", "No, grazie!", "OK 👍"], ["👍", "❤\u{FE0F}", "😀😀"]])
  func `an international phrase and emoji alone are accepted`(texts: [String]) throws {
    #expect(try Self.problem(texts) == nil)
  }

  @Test(arguments: [
    ["OK", "OK 👍", "A che ora?"], ["OK", "Ok😀", "A che ora?"], ["👍", "👍", "A che ora?"],
    ["È ok", "e\u{300} OK!", "A che ora?"],
  ])
  func `replies that differ only by marks and emoji are equal`(texts: [String]) throws {
    #expect(try Self.problem(texts) == "two suggestions say the same")
  }

  @Test func `three short replies together must be in the right language`() throws {
    #expect(
      try Self.problem(["See you then!", "Sounds good!", "Not today"])
        == "text of the three together is not in the language it"
    )
  }

  @Test func `a translation in the wrong language is refused`() throws {
    let texts = ["Volentieri!", "Oggi non posso.", "A che ora?"]
    #expect(
      try Self.problem(texts, ["Con piacere, ci vediamo dopo", "Oggi non posso", "A che ora?"])?
        .hasPrefix("translation") == true
    )
  }
}

struct ReplyCacheTests {
  private static let now = Timestamp(seconds: 1_700_000_000)
  private static let entry = ReplyCache.Entry(
    suggestions: Suggestions(
      suggestions: [
        .init(text: "a", translation: "A"), .init(text: "b", translation: "B"),
        .init(text: "c", translation: "C"),
      ]
    ),
    engine: "e1"
  )

  private func cache(_ conversation: String = "c1", _ uid: String = "marco") throws -> ReplyCache {
    try ReplyCache(database: ChatDocuments.database, conversationID: conversation, uid: uid)
  }

  private func document(_ prompt: Prompt) throws -> Document {
    let write = try cache().write(Self.entry, for: prompt, lastMessageID: "m9", now: Self.now)
    guard case .update(let document) = write.operation else { throw CancellationError() }
    return document
  }

  @Test func `suggestions are reused until the prompt changes`() throws {
    let prompt = try Scene().prompt()
    let document = try document(prompt)
    #expect(try cache().entry(in: document, for: prompt, now: Self.now) == Self.entry)
    var scene = Scene()
    scene.messages.append(["senderId": "sarah", "text": "Well?", "language": "en"])
    #expect(try cache().entry(in: document, for: scene.prompt(), now: Self.now) == nil)
    scene = Scene()
    scene.conversation["languageOverrides"] = ["marco": "fr"]
    #expect(try cache().entry(in: document, for: scene.prompt(), now: Self.now) == nil)
    let later = Self.now.advanced(by: ReplyCache.lifetime)
    #expect(try cache().entry(in: document, for: prompt, now: later) == nil)
    #expect(document.fields["lastMessageId"] == "m9")
  }

  @Test func `two pairs of ids with the same document name don't share suggestions`() throws {
    let prompt = try Scene().prompt()
    let document = try document(prompt)
    let other = try cache("c1_marco", "")
    let one = try cache("a_b", "c")
    let two = try cache("a", "b_c")
    #expect(one.name == two.name)
    #expect(other.entry(in: document, for: prompt, now: Self.now) == nil)
    var theirs = document
    theirs.fields["conversationId"] = "a_b"
    theirs.fields["uid"] = "c"
    #expect(one.entry(in: theirs, for: prompt, now: Self.now) == Self.entry)
    #expect(two.entry(in: theirs, for: prompt, now: Self.now) == nil)
  }

  @Test(arguments: Value.everyType)
  func `a document of other types is ignored`(value: Value) throws {
    let prompt = try Scene().prompt()
    for field in ["suggestions", "expiresAt", "promptHash"] {
      var document = try document(prompt)
      guard document.fields[field] != value else { continue }
      document.fields[field] = value
      #expect(try cache().entry(in: document, for: prompt, now: Self.now) == nil)
    }
  }
}
