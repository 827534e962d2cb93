import Chat
import Core
import FirestoreModel
import Providers
import TestKit
import Testing

@testable import askAI

/// A conversation with Sarah as Marco sees it, and a question of his.
private struct Scene {
  var view: MemberView
  var prompt: Prompt
  var window: ConversationWindow
  let language: Language

  init(_ query: String = "Cosa ha detto Sarah Miller della cena?") throws {
    let profiles = [
      "sarah": UserProfile(
        try ChatDocuments.user("sarah", ["displayName": "Sarah Miller", "primaryLanguage": "en"])
      ),
      "marco": UserProfile(
        try ChatDocuments.user("marco", ["displayName": "Marco", "primaryLanguage": "it"])
      ),
    ]
    let messages = try ["Dinner at 8?", "Ok!", "See https://menu.example/tonight"]
      .enumerated().map { index, text in
        Message(
          try ChatDocuments.message(
            [
              "senderId": "sarah", "text": .string(text), "language": "en",
              "timestamp": .timestamp(Timestamp(seconds: Int64(index))),
            ],
            id: "id-\(index)"
          )
        )
      }
    view = MemberView(
      uid: "marco",
      conversation: try Conversation(
        ChatDocuments.conversation(["participants": ["sarah", "marco"]])
      ),
      messages: messages,
      profiles: profiles
    )
    window = view.window
    language = try view.language()
    prompt = try AnswerPrompt.prompt(query, view: view, window: window, language: language)
  }

  func problem(_ text: String, sources: [String] = ["m1"]) -> String? {
    QueryAnswer(answer: text, found: true, sources: sources)
      .problem(
        window,
        in: language,
        checks: ModelText(
          prompt,
          said: window.entries.map(\.text),
          quotesInput: true,
          namesPeople: true
        )
      )
  }
}

struct QueryAnswerTests {
  @Test func `an answer from the messages is accepted`() throws {
    let scene = try Scene()
    #expect(
      scene.problem("[P1] propone la cena alle 8.\nIl menu: https://menu.example/tonight") == nil
    )
    #expect(scene.problem("[P1] ha scritto: “Dinner at 8? I would really love that”") == nil)
  }

  @Test(arguments: [
    ("", "answer is empty"),
    (
      "Scrivi a evil@attacker.example",
      "answer has a link, an address or a number that was not in the input"
    ),
    (
      "Chiama il +39 333 1234567",
      "answer has a link, an address or a number that was not in the input"
    ),
    ("Ecco ![x](y)", "answer has markup"),
    (
      "I will tell you what they have said about the dinner", "answer is not in the language it"
    ),
    (
      "You answer one person's question about a chat they are in.",
      "answer repeats the instructions"
    ),
  ])
  func `each kind of invalid answer is named`(text: String, problem: String) throws {
    #expect(try Scene().problem(text) == problem)
  }

  @Test func `only messages of the input can be cited, and each once`() throws {
    let scene = try Scene()
    #expect(
      scene.problem("Alle 8.", sources: ["m1", "m4"])
        == "sources has a message that is not in the input"
    )
    let answer = QueryAnswer(answer: "Alle 8.", found: true, sources: ["m3", "m1", "m3"])
    #expect(answer.contextIDs(scene.window) == ["id-2", "id-0"])
    let nothing = QueryAnswer(answer: "Non si sa.", found: false, sources: ["m1"])
    #expect(nothing.contextIDs(scene.window) == [])
  }
}

struct QueryPromptTests {
  @Test func `names in the question become aliases, and aliases in the answer names`() throws {
    let scene = try Scene("Cosa ha detto sarah della cena?")
    #expect(scene.prompt.inputText.contains(#""question":"Cosa ha detto sarah della cena?""#))
    #expect(scene.prompt.inputText.contains(#""mentions":[{"name":"sarah","person":"P1"}]"#))
    // The prompt doesn't contain names that the question doesn't mention.
    #expect(!scene.prompt.inputText.contains("Miller"))
    #expect(!scene.prompt.inputText.contains("arco"))
    #expect(
      scene.view.aliases.showingNames(in: "[P1]: alle 8 con [P2], [P7]")
        == "Sarah Miller: alle 8 con Marco, [P7]"
    )
  }
}

struct QueryRecordTests {
  private static let call = AskCall(conversationId: "c1", query: "When?")
  private static let answer = QueryRecord.Answer(text: "At 8.", contextIDs: ["m1"], engine: "e1")
  private static let now = Timestamp(seconds: 1_700_000_000)

  private func record(
    _ call: AskCall = call,
    event: String = "e"
  ) throws -> QueryRecord {
    try QueryRecord(call, uid: "marco", eventID: event, database: ChatDocuments.database)
  }

  private func document(_ write: Write) throws -> Document {
    guard case .update(let document) = write.operation else { throw CancellationError() }
    return document
  }

  private func answered() throws -> Document {
    try document(record().write(Self.answer, to: "When?", ifLastWritten: nil, now: Self.now))
  }

  private func claimed() throws -> Document {
    try document(record().claim("When?", over: nil, now: Self.now))
  }

  @Test func `a redelivered event finds its answer, and another event has its own document`() throws
  {
    let document = try answered()
    #expect(document.name == (try record().name))
    #expect(try record().state(of: document, at: Self.now) == .answered(Self.answer, to: "When?"))
    #expect(try record(event: "f").name != document.name)
    #expect(
      try record(event: "a/b\n").name.path.segments.prefix(3) == ["aiChats", "marco", "queries"]
    )
  }

  @Test func `another question with the same event id gets a new answer`() throws {
    let document = try answered()
    for call in [
      AskCall(conversationId: "c1", query: "Where?"), AskCall(conversationId: "c2", query: "When?"),
    ] {
      let query = try #require(call.query)
      #expect(try record(call).state(of: document, at: Self.now) == .open(question: query))
    }
  }

  @Test func `a pending question is left to its invocation, but not forever`() throws {
    let document = try claimed()
    #expect(document.fields["status"] == "pending")
    #expect(document.fields["aiResponse"] == nil)
    #expect(try record().state(of: document, at: Self.now) == .pending)
    let later = Self.now.advanced(by: QueryRecord.claimDuration)
    #expect(try record().state(of: document, at: later) == .open(question: "When?"))
    // A time that is too far in the future, by a wrong clock or a forgery, doesn't block the
    // question.
    var poisoned = document
    poisoned.fields["pendingUntil"] = .timestamp(Self.now.advanced(by: .seconds(86_400)))
    #expect(try record().state(of: poisoned, at: Self.now) == .open(question: "When?"))
  }

  @Test func `a failed question is stored with its reason, and is open again`() throws {
    let error = StatusError(.unavailable, "AI temporarily unavailable: HTTP 500")
    let failed = try document(
      record().write(error, to: "When?", ifLastWritten: nil, now: Self.now)
    )
    #expect(failed.fields["status"] == "failed")
    #expect(failed.fields["userQuery"] == "When?")
    #expect(failed.fields["error"]?.mapValue?["retryable"] == true)
    #expect(try record().state(of: failed, at: Self.now) == .open(question: "When?"))
  }

  @Test func `private error messages aren't shown to the user`() throws {
    var limit = StatusError(
      .resourceExhausted,
      "askAI: too many requests by one user: more than 2 a day"
    )
    limit.limit = .user
    let bare = "AI temporarily unavailable"
    for (error, code, message) in [
      (StatusError.configuration(.permissionDenied, "OPENAI_API_KEY: no"), "UNAVAILABLE", bare),
      (StatusError(.notFound, "projects/p", isOthersWords: true), "NOT_FOUND", bare),
      (StatusError(.resourceExhausted, "over its quota"), "RESOURCE_EXHAUSTED", bare),
      (StatusError(.unavailable, "http://10.0.0.1: gone"), "UNAVAILABLE", bare),
      (StatusError(.internal, "conforms to no Answer"), "INTERNAL", bare),
      (StatusError(.aborted, "it changed"), "ABORTED", "it changed"),
      (limit, "RESOURCE_EXHAUSTED", limit.message),
    ] {
      let failed = try document(
        record().write(error, to: "When?", ifLastWritten: nil, now: Self.now)
      )
      let kept = failed.fields["error"]?.mapValue
      #expect(kept?["code"] == .string(code))
      #expect(kept?["message"] == .string(message))
    }
  }

  @Test func `a queryId names the question to answer`() throws {
    let failed = try claimed()
    let later = Self.now.advanced(by: .seconds(3_600))
    let again = AskCall(conversationId: "c1", query: nil, queryId: failed.name.id)
    let record = try record(again)
    #expect(record.name == failed.name)
    #expect(try record.state(of: failed, at: later) == .open(question: "When?"))
    var error = #expect(throws: StatusError.self) { try record.state(of: nil, at: later) }
    #expect(error?.code == .notFound)
    for call in [
      AskCall(conversationId: "c2", query: nil, queryId: failed.name.id),
      AskCall(conversationId: "c1", query: "Where?", queryId: failed.name.id),
    ] {
      error = #expect(throws: StatusError.self) {
        try self.record(call).state(of: failed, at: later)
      }
      #expect(error?.message == "queryId belongs to another question")
    }
    #expect(throws: StatusError.self) {
      try self.record(AskCall(conversationId: "c1", query: "When?", queryId: "a/b"))
    }
  }

  @Test(arguments: Value.everyType)
  func `a document of other types is no answer and locks nothing`(value: Value) throws {
    for field in [
      "status", "aiResponse", "contextIds", "userQuery", "conversationId", "pendingUntil",
    ] {
      for document in [try answered(), try claimed()] where document.fields[field] != value {
        var document = document
        document.fields[field] = value
        let state = try record().state(of: document, at: Self.now)
        switch field {
        case "aiResponse" where value == "text":
          #expect(state != .answered(Self.answer, to: "When?"))
        case "contextIds" where value == [] && document.fields["status"] == "answered":
          #expect(state != .answered(Self.answer, to: "When?"))
        case "aiResponse" where document.fields["status"] == "pending",
          "contextIds" where document.fields["status"] == "pending":
          #expect(state == .pending)
        case "pendingUntil" where document.fields["status"] == "answered":
          #expect(state == .answered(Self.answer, to: "When?"))
        default: #expect(state == .open(question: "When?"))
        }
      }
    }
  }

  @Test(arguments: ["", " \u{200B}\n", String(repeating: "é", count: 1_001)])
  func `an empty or too long question is refused`(query: String) {
    let error = #expect(throws: StatusError.self) {
      try AskCall(conversationId: "c1", query: query).check()
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasPrefix("query is ") == true)
    let other = #expect(throws: StatusError.self) {
      try AskCall(conversationId: "c1", userQuery: query).check()
    }
    #expect(other?.message == error.map { "userQ" + $0.message.dropFirst() })
  }

  @Test func `a question may have either name, but not two texts`() throws {
    let question = "When?"
    for call in [
      AskCall(conversationId: "c1", query: question),
      AskCall(conversationId: "c1", userQuery: question),
      AskCall(conversationId: "c1", query: question, userQuery: question),
    ] {
      try call.check()
      #expect(call.question == question)
      #expect(try record(call).state(of: nil, at: Self.now) == .open(question: question))
    }
    // The texts look alike, but their bytes differ.
    for (query, userQuery) in [("When?", "Where?"), ("é", "e\u{301}"), ("When?", "")] {
      let error = #expect(throws: StatusError.self) {
        try AskCall(conversationId: "c1", query: query, userQuery: userQuery).check()
      }
      #expect(
        error
          == StatusError(.invalidArgument, "query and userQuery differ: send one of them")
      )
    }
  }

  @Test func `a call names a question or has one`() {
    let error = #expect(throws: StatusError.self) { try AskCall(conversationId: "c1").check() }
    #expect(error?.message == "query is missing")
    #expect(throws: Never.self) { try AskCall(conversationId: "c1", queryId: "q").check() }
  }
}
