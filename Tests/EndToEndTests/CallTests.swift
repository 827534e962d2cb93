import HTTPService
import HTTPTransport
import Platform
import TestKit
import Testing

private let coffee =
  #"{"text":"Hey, let's meet for coffee tomorrow!","sourceLang":"en","targetLang":"it"}"#
private let coffeeInItalian = "Ehi, incontriamoci per un caffè domani!"

/// A client's call: typed at a shell, as a bare POST, by the callable protocol.
@Suite(.timeLimit(.minutes(3)))
struct CallTests {
  @Test(arguments: ["worker", "process"])
  func `a call is answered, by each door and from the cache the second time`(
    isolation: String
  ) async throws {
    try await withEmulator("--isolation", isolation) { emulator in
      let environment = try emulator.environment()
      let first = try await runFunction(
        "translateMessage",
        input: coffee,
        environment: environment
      )
      #expect(first.result?["translatedText"] == .string(coffeeInItalian))
      #expect(first.line.at("usage.providerCalls") == .integer(1))
      let second = try await runFunction(
        "translateMessage",
        input: coffee,
        environment: environment
      )
      #expect(second.result == first.result)
      #expect(second.line.at("usage.cacheHits") == .integer(1))
      #expect(second.line.at("usage.providerCalls") == .integer(0))

      let bare = try await emulator.request(
        "POST",
        "functions",
        "/translateMessage",
        json: coffee
      )
      #expect(bare.status == 200)
      #expect(bare.json == first.result)

      let callable = try await emulator.request(
        "POST",
        "functions",
        "/\(emulator.project)/us-central1/translateMessage",
        json: #"{"data":\#(coffee)}"#
      )
      #expect(callable.status == 200)
      #expect(callable.json["result"] == first.result)
    }
  }

  @Test func `exec gives a shell all that a function needs`() async throws {
    try await withEmulatorShell { shell in
      let output = try await shell.exec(
        "echo '\(coffee.replacing("'", with: #"'\''"#))' | translateMessage"
      )
      #expect(output.exitCode == 0, Comment(rawValue: output.errorText))
      let line = try json(output.text)
      try Schema.result.check(line)
      #expect(line.at("result.translatedText") == .string(coffeeInItalian))
    }
  }

  @Test func `a token says who calls`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      try await emulator.write(
        """
        {"conversations/c1": {"participants": ["sarah", "marco"]},
         "conversations/c1/messages/m1": {"senderId": "sarah", "text": "Hi!", "language": "en"}}
        """
      )
      func call(as uid: String?) async throws -> EmulatorProcess.Answer {
        var headers: [HTTPHeader] = []
        if let uid {
          let token = try await runProgram(
            "emulator",
            ["token", "--uid", uid, "--project", emulator.project]
          ).text.trimmingLineFeed
          headers.append(HTTPHeader("Authorization", "Bearer \(token)"))
        }
        return try await emulator.request(
          "POST",
          "functions",
          "/\(emulator.project)/us-central1/translateMessage",
          headers: headers,
          json: #"{"data":{"messageId":"m1","conversationId":"c1","targetLang":"it"}}"#
        )
      }
      let member = try await call(as: "marco")
      #expect(member.status == 200, Comment(rawValue: member.text))
      let stranger = try await call(as: "mallory")
      #expect((stranger.status, stranger.code) == (403, "PERMISSION_DENIED"))
      let nobody = try await call(as: nil)
      #expect((nobody.status, nobody.code) == (401, "UNAUTHENTICATED"))
    }
  }

  @Test(arguments: [
    ("/translateMessage", #"{"text":"x"}"#, 400),
    ("/translateMessage", #"["text"]"#, 400),
    ("/translateMessage", "{", 400),
    ("/noSuchFunction", "{}", 404),
    ("/sendNotification", "{}", 404),
    ("/p/r/noSuchFunction", #"{"data":{}}"#, 404),
    ("/p/r/sendNotification", #"{"data":{}}"#, 404),
    ("/p/r/translateMessage", #"{"data":{},"auth":{"uid":"marco"}}"#, 400),
    ("/p/r/translateMessage", #"{"text":"x"}"#, 400),
    ("/p/r/translateMessage", "", 400),
    ("/a/b/c/d", "{}", 404),
  ])
  func `a call that can't be answered is refused`(
    path: String,
    body: String,
    status: Int
  ) async throws {
    try await withEmulator { emulator in
      let answer = try await emulator.request("POST", "functions", path, json: body)
      #expect(answer.status == status)
      #expect(answer.code != nil)
      #expect(answer.message?.isEmpty == false)
    }
  }

  @Test func `a caller named in a bare body is nobody`() async throws {
    try await withEmulator { emulator in
      let answer = try await emulator.request(
        "POST",
        "functions",
        "/translateMessage",
        json:
          #"{"data":{"messageId":"m","conversationId":"c","targetLang":"it"},"auth":{"uid":"x"}}"#
      )
      #expect(answer.status == 400)
      #expect(answer.code == "INVALID_ARGUMENT")
    }
  }
}
