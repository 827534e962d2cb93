import Core
import FirestoreModel
import HTTPClient
import TestKit
import Testing

/// Documents of older clients, with other paths and other field names.
@Suite(.timeLimit(.minutes(10)))
struct LayoutTests {
  /// A path for messages that older clients use.
  struct Layout: Sendable, CustomTestStringConvertible {
    /// The value of `MESSAGES_PATH`.
    var pattern: String
    /// The path of the conversation `c`.
    var conversation: String
    /// A Boolean value that indicates whether the conversation has a document. If not, each message
    /// names its two people.
    var hasDocument: Bool

    var testDescription: String { pattern }
  }

  static let layouts = [
    Layout(
      pattern: "messages/{conversationId}/messages/{messageId}",
      conversation: "messages/c",
      hasDocument: false
    ),
    Layout(
      pattern: "chats/{chatId}/messages/{messageId}",
      conversation: "chats/c",
      hasDocument: true
    ),
  ]

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

  @Test(arguments: layouts)
  func `a message in an older layout is translated, pushed and answered`(
    _ layout: Layout
  ) async throws {
    try await withEmulator(environment: ["MESSAGES_PATH": layout.pattern]) { emulator in
      try await emulator.write(Self.people)
      if layout.hasDocument {
        try await emulator.write(
          #"{"\#(layout.conversation)":{"participants":["sarah","marco"],"#
            + #""participantLanguages":{"marco":"fr"}}}"#
        )
      }
      let message = "\(layout.conversation)/messages/m1"
      try await emulator.write(
        """
        {"\(message)":{"senderId":"sarah","recipientId":"marco","conversationId":"c",
          "text":"Break a leg at your interview tomorrow!","status":"sent","readBy":[],
          "timestamp":{"timestampValue":"2025-10-21T10:00:00Z"}}}
        """
      )
      try await emulator.quiet()
      let fields = try #require(try await emulator.fields(of: message))
      let translation = "In bocca al lupo per il colloquio di domani!"
      #expect(fields.at("translations.it") == .string(translation))

      let pushes = try await emulator.pushes()
      #expect(
        pushes.compactMap { $0["token"]?.string }.sorted() == ["marco-pad", "marco-phone"]
      )
      #expect(
        Set(pushes.map { $0.at("message.notification.body")?.string }) == [translation]
      )
      #expect(try await emulator.fields(of: "users/marco/inbox/c")?["unread"] == .integer(1))
      let conversation = try await emulator.fields(of: layout.conversation)
      #expect((conversation?["lastMessageId"] == .string("m1")) == layout.hasDocument)
      #expect(
        try await emulator.fields(of: "aiAnalysis/m1")?["hasCulturalContext"] == .boolean(true)
      )

      // Callable functions, too, find a conversation's participants in the older layout.
      let replies = try await call("smartReplies", #"{"conversationId":"c"}"#, "marco", emulator)
      #expect(replies.json.at("suggestions")?.array?.count == 3, Comment(rawValue: replies.text))
      let answer = try await call(
        "askAI",
        #"{"conversationId":"c","query":"Quando è il colloquio?"}"#,
        "marco",
        emulator
      )
      #expect(answer.json.at("contextIds") == .array([.string("m1")]))
      let stranger = try await call("smartReplies", #"{"conversationId":"c"}"#, "eve", emulator)
      #expect(stranger.status == 403, Comment(rawValue: stranger.text))

      // The function uses a translation that an older client has cached.
      try await emulator.write(
        """
        {"\(layout.conversation)/messages/m2":{"senderId":"sarah","recipientId":"marco",
          "text":"Good luck, see you soon!","timestamp":{"timestampValue":"2025-10-21T10:01:00Z"}}}
        """
      )
      try await emulator.quiet()
      #expect(
        try await emulator.fields(of: "\(layout.conversation)/messages/m2")?.at("translations.it")
          == .string("Dal passato!")
      )

      // Without a conversation document, nobody can leave.
      guard layout.hasDocument else { return }
      try await emulator.write(#"{"\#(layout.conversation)":{"participants":["sarah"]}}"#)
      try await emulator.quiet()
      #expect(try await emulator.fields(of: "users/marco/inbox/c") == nil)
    }
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
