import Chat
import FirestoreModel
import Providers
import RPCStatus
import TestKit
import Testing

@testable import askAI

/// Marco's view of a conversation with Sarah.
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
        checks: ModelText(prompt, quotesInput: true, namesPeople: true)
      )
  }
}

struct QueryAnswerTests {
  @Test func `an answer from the messages is taken`() throws {
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
  func `each way to be wrong is named`(text: String, problem: String) throws {
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
  @Test func `names in the question are told apart and those in the answer shown`() throws {
    let scene = try Scene("Cosa ha detto sarah della cena?")
    #expect(scene.prompt.inputText.contains(#""question":"Cosa ha detto sarah della cena?""#))
    #expect(scene.prompt.inputText.contains(#""mentions":[{"name":"sarah","person":"P1"}]"#))
    // What nobody asked about stays here.
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

  private func record(
    _ call: AskCall = call,
    event: String = "e"
  ) throws -> QueryRecord {
    try QueryRecord(call, uid: "marco", eventID: event, database: ChatDocuments.database)
  }

  private func document() throws -> Document {
    let write = try record().write(Self.answer, now: Timestamp(seconds: 1))
    guard case .update(let document) = write.operation else { throw CancellationError() }
    return document
  }

  @Test func `an event delivered again finds its answer, another event its own document`() throws {
    let document = try document()
    #expect(document.name == (try record().name))
    #expect(try record().answer(in: document) == Self.answer)
    #expect(try record(event: "f").name != document.name)
    #expect(
      try record(event: "a/b\n").name.path.segments.prefix(3) == ["aiChats", "marco", "queries"]
    )
  }

  @Test func `another question under the same id is not answered from it`() throws {
    let document = try document()
    for call in [
      AskCall(conversationId: "c1", query: "Where?"), AskCall(conversationId: "c2", query: "When?"),
    ] {
      #expect(try record(call).answer(in: document) == nil)
    }
    var failed = document
    failed.fields["status"] = "failed"
    #expect(try record().answer(in: failed) == nil)
    #expect(try record().answer(in: nil) == nil)
  }

  @Test(arguments: ["", " \u{200B}\n", String(repeating: "é", count: 1_001)])
  func `a question says something, and not too much`(query: String) {
    let error = #expect(throws: StatusError.self) {
      try AskCall(conversationId: "c1", query: query).check()
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasPrefix("query is ") == true)
  }
}
