import Chat
import Core
import FirestoreModel
import Providers
import TestKit
import Testing

@testable import analyzeMessage
@testable import askAI
@testable import smartReplies

/// The exact prompts for a model.
///
/// If you change a prompt, increase its version. Then run these tests once with
/// `UPDATE_SNAPSHOTS=1` to record its text.
struct PromptTests {
  private static let profiles: [String: Fields] = [
    "sarah": ["displayName": "Sarah", "primaryLanguage": "en"],
    "marco": ["displayName": "Marco", "primaryLanguage": "it"],
  ]

  private func view() throws -> MemberView {
    let profiles = try Dictionary(
      uniqueKeysWithValues: Self.profiles.map { ($0, UserProfile(try ChatDocuments.user($0, $1))) }
    )
    let texts = [("sarah", "en", "Dinner at 8?"), ("marco", "it", "Certo! \"Da Gino\"\u{202E}?")]
    let messages = try texts.enumerated().map { index, text in
      Message(
        try ChatDocuments.message(
          [
            "senderId": .string(text.0), "language": .string(text.1), "text": .string(text.2),
            "timestamp": .timestamp(Timestamp(seconds: Int64(index), nanoseconds: 5_000)),
          ],
          id: "PLANTED-\(index)"
        )
      )
    }
    return MemberView(
      uid: "marco",
      conversation: try Conversation(
        ChatDocuments.conversation(["participants": ["sarah", "marco"]])
      ),
      messages: messages,
      profiles: profiles
    )
  }

  private static let messages =
    #"[{"from":"P1","id":"m1","language":"en","sentAt":"1970-01-01T00:00:00Z","text":"Dinner at 8?"},"#
    + #"{"from":"P2","id":"m2","language":"it","sentAt":"1970-01-01T00:00:01Z","text":"Certo! \"Da Gino\"?"}]"#

  @Test func `the prompt of an analysis`() throws {
    let prompt = try AnalysisPrompt.prompt(
      text: "Break a leg!\n",
      from: "P1",
      in: Language("en"),
      after: view().window,
      for: Language("it")
    )
    #expect(
      prompt.inputText
        == #"{"message":{"from":"P1","language":"en","text":"Break a leg! "},"messages":"#
        + Self.messages + #","readerLanguage":"it"}"#
    )
  }

  @Test func `the prompt of replies`() throws {
    let view = try view()
    let prompt = try ReplyPrompt.prompt(view.window, replier: "P2", plan: ReplyPlan(view))
    #expect(
      prompt.inputText == #"{"messages":"# + Self.messages
        + #","replier":"P2","replyLanguage":"it","style":{"averageCharacters":18,"#
        + #""usesEmoji":false},"translationLanguage":"en"}"#
    )
  }

  @Test func `the prompt of a question`() throws {
    let view = try view()
    let prompt = try AnswerPrompt.prompt(
      "Cosa ha detto SARAH?",
      view: view,
      window: view.window,
      language: Language("it")
    )
    #expect(
      prompt.inputText
        == #"{"answerLanguage":"it","asker":"P2","mentions":[{"name":"SARAH","person":"P1"}],"#
        + #""messages":"# + Self.messages + #","question":"Cosa ha detto SARAH?"}"#
    )
  }

  @Test(arguments: [
    (AnalysisPrompt.template, "message_analysis"), (ReplyPrompt.template, "reply_suggestions"),
    (AnswerPrompt.template, "conversation_answer"),
  ])
  func `a head is the recorded one of its version`(
    template: Prompt.Template,
    name: String
  ) throws {
    #expect(template.name == name)
    let path = "Tests/Fixtures/prompts/\(name)-v\(template.version).txt"
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try Data(template.snapshot.utf8).write(to: URL(filePath: "\(Repository.folder)/\(path)"))
    }
    #expect(try template.snapshot == Repository.text(path), "record it with UPDATE_SNAPSHOTS=1")
  }
}

extension Prompt.Template {
  /// The instructions, the schema and the limit of tokens, as one text.
  fileprivate var snapshot: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let schema = (try? encoder.encode(output)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return "\(instructions)\n\n\(schema)\n\nat most \(maximumOutputTokens) tokens\n"
  }
}
