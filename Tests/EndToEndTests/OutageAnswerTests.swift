import Core
import FunctionHost
import HTTPClient
import TestKit
import Testing

/// The answers to callers during a provider's outage: the emulator's and those of `serve`.
@Suite(.timeLimit(.minutes(10)))
struct OutageAnswerTests {
  private static let documents = """
    {"users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
     "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
     "config/functions": {"askAI": {"perUserPerMinute": 100}},
     "conversations/c1": {"participants": ["sarah", "marco"]},
     "conversations/c1/messages/m1": {"senderId": "sarah", "language": "en",
       "text": "Break a leg at your interview tomorrow!",
       "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
    """

  private static let faults = [
    (#""kind":"status","status":503"#, 503), (#""kind":"status","status":429"#, 429),
    (#""kind":"reset""#, 503), (#""kind":"malformed-json""#, 503),
  ]

  private struct Call {
    var function: String
    var provider: String
    var data: String
  }

  private static let calls = [
    Call(
      function: "translateMessage",
      provider: "translation",
      data: #"{"text":"Break a leg!","sourceLang":"en","targetLang":"it"}"#
    ),
    Call(
      function: "translateMessage",
      provider: "translation",
      data: #"{"messageId":"m1","conversationId":"c1","targetLang":"fr"}"#
    ),
    Call(
      function: "analyzeMessage",
      provider: "openai",
      data: #"{"messageId":"m1","conversationId":"c1","targetLang":"fr"}"#
    ),
    Call(
      function: "askAI",
      provider: "openai",
      data: #"{"conversationId":"c1","userQuery":"When is the interview?"}"#
    ),
  ]

  /// A response to a call. Two servers' responses to the same call are equal.
  private struct Answer: Equatable {
    var status: Int
    var body: JSONValue
    var retryAfter: String?
  }

  private static let client = HTTPClient(
    userAgent: "worldchat-tests",
    configuration: HTTPClientConfiguration(environment: [:])
  )

  private func post(_ body: String, to url: String, token: String) async throws -> Answer {
    let response = try await Self.client.send(
      HTTPRequest(
        method: "POST",
        url: url,
        headers: [
          HTTPHeader("Content-Type", "application/json"),
          HTTPHeader("Authorization", "Bearer \(token)"),
        ],
        body: Data(body.utf8)
      ),
      deadline: .generous
    )
    return Answer(
      status: response.status,
      body: try JSONValue(parsing: response.body),
      retryAfter: response.headers["retry-after"]
    )
  }

  /// Runs `body` with the port of a server of a function.
  private func serving(
    _ function: String,
    _ environment: [String: String],
    _ body: (Int) async throws -> Void
  ) async throws {
    let process = try ChildProcess.spawn(
      Command(
        executable: try Products.path(of: function),
        arguments: ["--serve", "--port", "0", "--host", "127.0.0.1"],
        environment: environment
      ),
      standardInput: .null,
      standardOutput: .null
    )
    do {
      var port: Int?
      while port == nil, let line = try await process.errorOutput.nextLine(maximumLength: 65_536) {
        port = try JSONValue(parsing: Data(line))["port"]?.string.flatMap { Int($0) }
      }
      try await body(#require(port))
    } catch {
      await process.terminateGroup(grace: .zero)
      throw error
    }
    await process.terminateGroup(grace: .zero)
  }

  @Test func `an outage has the same answer from serve and from the emulator`() async throws {
    try await withTemporaryFolder { folder in
      try makeFunctionsFolder(folder, ["translateMessage", "analyzeMessage", "askAI"])
      try await withEmulator("--isolation", "process", functions: folder) { emulator in
        // The message's events store its analysis and translation into Italian.
        try await emulator.write(Self.documents)
        try await emulator.quiet()
        let arguments = ["token", "--uid", "marco", "--project", emulator.project]
        let token = try await runProgram("emulator", arguments).text.trimmingLineFeed
        var environment = try emulator.environment()
        environment["FIREBASE_AUTH_EMULATOR_HOST"] = "127.0.0.1:9"
        for call in Self.calls {
          for (fault, status) in Self.faults {
            let form = #"{"provider":"\#(call.provider)","times":99,\#(fault)}"#
            _ = try await emulator.request("POST", "functions", "/providers/faults", json: form)
            try await serving(call.function, environment) { port in
              let address = "http://\(emulator.address("functions"))"
              for (path, body) in [
                ("/\(call.function)", call.data),
                ("/\(emulator.project)/us-central1/\(call.function)", #"{"data":\#(call.data)}"#),
              ] {
                let local = try await post(body, to: address + path, token: token)
                let served = try await post(
                  body,
                  to: "http://127.0.0.1:\(port)\(path)",
                  token: token
                )
                let comment = Comment(rawValue: "\(call.function), \(fault): \(served)")
                #expect(served.status == status, comment)
                #expect(
                  served.body.at("error.message") == .string("AI temporarily unavailable"),
                  comment
                )
                #expect(served == local, comment)
              }
            }
            _ = try await emulator.request("DELETE", "functions", "/providers/faults")
          }
        }
      }
    }
  }
}
