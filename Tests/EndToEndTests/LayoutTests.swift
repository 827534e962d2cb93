import Core
import FirestoreModel
import HTTPClient
import TestKit
import Testing

/// Documents of older clients, with other paths and other field names.
@Suite(.timeLimit(.minutes(10)))
struct LayoutTests {
  /// A path for messages that some clients use.
  struct Layout: Sendable, CustomTestStringConvertible {
    /// The pattern in `MESSAGES_PATH`.
    var pattern: String
    /// The collection of the conversations.
    var collection: String
    /// A Boolean value that indicates whether the conversation has a document. If not, each message
    /// names its two people.
    var hasDocument: Bool

    var testDescription: String { pattern }
  }

  static let older = [
    Layout(
      pattern: "messages/{conversationId}/messages/{messageId}",
      collection: "messages",
      hasDocument: false
    ),
    Layout(pattern: "chats/{chatId}/messages/{messageId}", collection: "chats", hasDocument: true),
  ]
  static let all =
    [
      Layout(
        pattern: "conversations/{conversationId}/messages/{messageId}",
        collection: "conversations",
        hasDocument: true
      )
    ] + older

  /// Profiles with `language` and push tokens in the older fields, and a cached translation with
  /// the older fields.
  private static var people: String {
    """
    {
      "users/sarah": {"displayName": "Sarah", "language": "en"},
      "users/marco": {"displayName": "Marco", "language": "it", "fcmToken": "marco-phone",
                      "fcmTokens": ["marco-pad", "marco-phone"]},
      "translations/\(key)": {
        "sourceText": "Good luck, see you soon!", "translatedText": "Dal passato!",
        "sourceLanguage": "en", "targetLanguage": "it", "engine": "phrasebook",
        "timestamp": {"timestampValue": "\(Timestamp.now)"}, "ttl": 2592000
      }
    }
    """
  }
  /// The SHA-256 of `Good luck, see you soon!|en|it`.
  private static let key = "d71c56f61b8428244a26698490084b48d2a20561b1d7aa1e9d426705b0302405"

  private static let text = "Break a leg at your interview tomorrow!"
  private static let translation = "In bocca al lupo per il colloquio di domani!"

  @Test(arguments: older)
  func `a message in an older layout is translated, pushed and answered`(
    _ layout: Layout
  ) async throws {
    try await withEmulator(environment: ["MESSAGES_PATH": layout.pattern]) { emulator in
      try await emulator.write(Self.people)
      try await checkMessages(of: layout, in: "c", emulator)
    }
  }

  @Test func `one deployment serves the clients of all layouts, and forgets in all of them`()
    async throws
  {
    let list = Self.all.map(\.pattern).joined(separator: ",")
    try await withEmulator(environment: ["MESSAGES_PATH": list]) { emulator in
      try await emulator.write(Self.people)
      for layout in Self.all {
        try await checkMessages(of: layout, in: "c-\(layout.collection)", emulator)
      }
      for (function, body) in Self.calls(in: "missing", "m") {
        let answer = try await call(function, body, "marco", emulator)
        #expect(answer.status == 403, "\(function): \(answer.text)")
      }

      let answer = try await call("forgetUser", #"{"uid":"sarah"}"#, "sarah", emulator)
      #expect(answer.json["messages"] == .integer(6), Comment(rawValue: answer.text))
      #expect(answer.json["conversations"] == .integer(2), Comment(rawValue: answer.text))
      for layout in Self.all {
        let conversation = "\(layout.collection)/c-\(layout.collection)"
        #expect(
          try await emulator.fields(of: "\(conversation)/messages/c-\(layout.collection)-1") == nil
        )
      }
    }
  }

  @Test func `if two layouts have a conversation with one id, calls are about the first`()
    async throws
  {
    let list = Self.all.map(\.pattern).joined(separator: ",")
    try await withEmulator(environment: ["MESSAGES_PATH": list]) { emulator in
      try await emulator.write(Self.people)
      // The messages of the first layout have no conversation document, so the document in the
      // third layout counts.
      try await emulator.write(
        #"{"chats/c":{"participants":["sarah","marco"]},"#
          + #""chats/c/messages/m1":\#(Self.message(Self.text)),"#
          + #""conversations/c/messages/m1":\#(Self.message("See you soon!"))}"#
      )
      try await emulator.quiet()
      try await checkCalls(in: "c", "m1", emulator)

      // An event is about its own message, even if calls are about another.
      try await emulator.write(
        #"{"conversations/c":{"participants":["sarah","eve"]},"users/eve":{"language":"it"},"#
          + #""chats/c/messages/m2":\#(Self.message(Self.text))}"#
      )
      try await emulator.quiet()
      #expect(
        try await emulator.fields(of: "chats/c/messages/m2")?.at("translations.it")
          == .string(Self.translation)
      )
      for (function, body) in Self.calls(in: "c", "m2") {
        let answer = try await call(function, body, "marco", emulator)
        #expect(answer.status == 403, "\(function): \(answer.text)")
      }
    }
  }

  /// Returns a message from Sarah to Marco as JSON.
  private static func message(_ text: String, at time: String = "10:00:00") -> String {
    """
    {"senderId":"sarah","recipientId":"marco","conversationId":"c","text":"\(text)",
     "status":"sent","readBy":[],"timestamp":{"timestampValue":"2025-10-21T\(time)Z"}}
    """
  }

  /// Checks that events and calls of a layout's conversation are handled.
  ///
  /// - Parameter id: the conversation's id.
  private func checkMessages(
    of layout: Layout,
    in id: String,
    _ emulator: EmulatorProcess
  ) async throws {
    let path = "\(layout.collection)/\(id)"
    if layout.hasDocument {
      try await emulator.write(
        #"{"\#(path)":{"participants":["sarah","marco"],"participantLanguages":{"marco":"fr"}}}"#
      )
    }
    try await emulator.write(#"{"\#(path)/messages/\#(id)-1":\#(Self.message(Self.text))}"#)
    try await emulator.quiet()
    let fields = try #require(try await emulator.fields(of: "\(path)/messages/\(id)-1"))
    #expect(fields.at("translations.it") == .string(Self.translation))

    let pushes = try await emulator.pushes().filter {
      $0.at("message.data.messageId") == .string("\(id)-1")
    }
    #expect(pushes.compactMap { $0["token"]?.string }.sorted() == ["marco-pad", "marco-phone"])
    #expect(
      Set(pushes.map { $0.at("message.notification.body")?.string }) == [Self.translation]
    )
    #expect(try await emulator.fields(of: "users/marco/inbox/\(id)")?["unread"] == .integer(1))
    let conversation = try await emulator.fields(of: path)
    #expect((conversation?["lastMessageId"] == .string("\(id)-1")) == layout.hasDocument)
    #expect(
      try await emulator.fields(of: "aiAnalysis/\(id)-1")?["hasCulturalContext"] == .boolean(true)
    )
    try await checkCalls(in: id, "\(id)-1", emulator)

    // The function uses a translation that an older client has cached.
    let cached = Self.message("Good luck, see you soon!", at: "10:01:00")
    try await emulator.write(#"{"\#(path)/messages/\#(id)-2":\#(cached)}"#)
    try await emulator.quiet()
    #expect(
      try await emulator.fields(of: "\(path)/messages/\(id)-2")?.at("translations.it")
        == .string("Dal passato!")
    )

    // Without a conversation document, nobody can leave.
    guard layout.hasDocument else { return }
    try await emulator.write(#"{"\#(path)":{"participants":["sarah"]}}"#)
    try await emulator.quiet()
    #expect(try await emulator.fields(of: "users/marco/inbox/\(id)") == nil)
  }

  /// The calls about a conversation's message.
  private static func calls(in id: String, _ message: String) -> [(String, String)] {
    [
      ("smartReplies", #"{"conversationId":"\#(id)"}"#),
      ("askAI", #"{"conversationId":"\#(id)","query":"Quando è il colloquio?"}"#),
      (
        "translateMessage",
        #"{"conversationId":"\#(id)","messageId":"\#(message)","targetLang":"it"}"#
      ),
      (
        "translateMessage",
        #"{"conversationId":"\#(id)","messageIds":["\#(message)"],"targetLang":"it"}"#
      ),
      (
        "analyzeMessage",
        #"{"conversationId":"\#(id)","messageId":"\#(message)","targetLang":"it"}"#
      ),
      ("trackOpen", #"{"conversationId":"\#(id)","messageId":"\#(message)"}"#),
    ]
  }

  /// Checks that calls that name only a conversation's id find its participants and messages.
  private func checkCalls(
    in id: String,
    _ message: String,
    _ emulator: EmulatorProcess
  ) async throws {
    var answers: [EmulatorProcess.Answer] = []
    for (function, body) in Self.calls(in: id, message) {
      answers.append(try await call(function, body, "marco", emulator))
      let stranger = try await call(function, body, "eve", emulator)
      #expect(stranger.status == 403, "\(function): \(stranger.text)")
    }
    func expect(_ index: Int, _ member: String, _ value: JSONValue) {
      #expect(answers[index].json.at(member) == value, Comment(rawValue: answers[index].text))
    }
    #expect(answers[0].json["suggestions"]?.array?.count == 3, Comment(rawValue: answers[0].text))
    expect(1, "contextIds", .array([.string(message)]))
    expect(2, "translatedText", .string(Self.translation))
    expect(3, "messages.\(message).translatedText", .string(Self.translation))
    expect(4, "hasCulturalContext", .boolean(true))
    expect(5, "counted", .boolean(true))
  }

  private func call(
    _ function: String,
    _ body: String,
    _ uid: String,
    _ emulator: EmulatorProcess
  ) async throws -> EmulatorProcess.Answer {
    let token = try await runProgram(
      "emulator",
      ["token", "--uid", uid, "--project", emulator.project]
    ).text.trimmingLineFeed
    return try await emulator.request(
      "POST",
      "functions",
      "/\(function)",
      headers: [HTTPHeader("Authorization", "Bearer \(token)")],
      json: body
    )
  }
}
