import Core
import FunctionHost
import HTTPClient
import Synchronization
import TestKit
import Testing

private let coffee =
  #"{"text":"Hey, let's meet for coffee tomorrow!","sourceLang":"en","targetLang":"it"}"#
private let coffeeInItalian = "Ehi, incontriamoci per un caffè domani!"

/// Calls of functions: from a shell, with a bare POST, and with the callable protocol.
@Suite(.timeLimit(.minutes(10)))
struct CallableTests {
  @Test(arguments: ["worker", "process"])
  func `a call is answered by each entry point, the second time from the cache`(
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
      #expect(first.line.at("usage.translationsServed") == .integer(1))
      #expect(second.line.at("usage.translationsServed") == .integer(1))
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

  // MARK: Streams

  /// Splits a streamed response into events and passes each one on as it arrives.
  private final class Events: ResponseReceiver {
    private let text = Mutex("")
    private let onEvent: @Sendable (String) -> Void

    init(onEvent: @escaping @Sendable (String) -> Void) { self.onEvent = onEvent }

    func begin(status: Int, headers: [HTTPHeader]) {}

    func receive(_ bytes: UnsafeRawBufferPointer) {
      let events = text.withLock { text -> [String] in
        text += String(decoding: bytes, as: UTF8.self)
        var events = text.components(separatedBy: "\n\n")
        text = events.removeLast()
        return events
      }
      for event in events { onEvent(event) }
    }
  }

  /// Calls a function with a client that reads the result as it arrives.
  private func stream(
    _ function: String,
    _ data: String,
    headers: [HTTPHeader] = [],
    from emulator: EmulatorProcess,
    onEvent: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> (response: HTTPResponse, events: [JSONValue]) {
    var request = HTTPRequest(
      method: "POST",
      url: "http://\(emulator.address("functions"))/\(emulator.project)/us-central1/\(function)",
      headers: [
        HTTPHeader("Content-Type", "application/json"),
        HTTPHeader("Accept", "text/event-stream, */*"),
      ] + headers,
      body: Data(#"{"data":\#(data)}"#.utf8)
    )
    let events = Mutex<[String]>([])
    request.receiver = Events { event in
      events.withLock { $0.append(event) }
      onEvent(event)
    }
    let response = try await HTTPClient.forTests().send(request, deadline: .generous)
    let lines = events.withLock(\.self)
    #expect(lines.allSatisfy { $0.hasPrefix("data: ") })
    return (response, try lines.map { try json(String($0.dropFirst(6))) })
  }

  /// Returns a function that sends half of its result, then waits for a file and sends the rest.
  private func storyteller(_ folder: String) -> String {
    """
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"tell","callable":true,"worker":true}'; exit
    fi
    echo '{"contract":1,"function":"tell","ready":true}'
    while read -r line; do
      id=${line##*\\"id\\":\\"}; id=${id%%\\"*}
      case "$line" in
        *unset*) echo '{"status":"error","exitCode":78,"error":{"code":"NOT_FOUND","message":"OUR_KEY"}}' ;;
        *fail*) echo '{"status":"error","exitCode":65,"error":{"code":"INVALID_ARGUMENT","message":"no"}}' ;;
        *'"streaming":true'*)
          echo "{\\"eventId\\":\\"$id\\",\\"partial\\":{\\"text\\":\\"Once\\"}}"
          echo '{"partial":"whose?"}'
          until [ -e '\(folder)/go' ]; do sleep 0.01; done
          echo "{\\"eventId\\":\\"$id\\",\\"partial\\":\\"upon\\"}"
          echo '{"status":"ok","exitCode":0,"result":{"text":"Once upon a time"}}' ;;
        *) echo '{"status":"ok","exitCode":0,"result":"unread"}' ;;
      esac
    done
    """
  }

  @Test func `a client reads a result while the function makes it`() async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/functions/tell", storyteller(folder), isExecutable: true)
      try await withEmulator(functions: "\(folder)/functions") { emulator in
        let (response, events) = try await stream("tell", "1", from: emulator) { event in
          // The function may continue only after the first half of its result has arrived.
          if event.contains("Once\"}") {
            #expect(FileManager.default.createFile(atPath: "\(folder)/go", contents: nil))
          }
        }
        #expect(response.status == 200)
        #expect(response["content-type"]?.hasPrefix("text/event-stream") == true)
        #expect(
          events == [
            try json(#"{"message":{"text":"Once"}}"#), try json(#"{"message":"upon"}"#),
            try json(#"{"result":{"text":"Once upon a time"}}"#),
          ]
        )
        // A failure is an event of the stream too, as with Firebase's own functions.
        let failed = try await stream("tell", #""fail""#, from: emulator)
        #expect(failed.response.status == 200)
        #expect(
          failed.events == [
            try json(#"{"error":{"status":"INVALID_ARGUMENT","message":"no"}}"#)
          ]
        )
        let unset = try await stream("tell", #""unset""#, from: emulator)
        #expect(unset.events.first?.at("error.status") == .string("INTERNAL"))
        #expect(!unset.response.body.contains("OUR_KEY".utf8))
        let forged = try await stream(
          "tell",
          "1",
          headers: [HTTPHeader("Authorization", "Bearer forged")],
          from: emulator
        )
        #expect(forged.response.status == 401)
        #expect(forged.events.first?.at("error.status") == .string("UNAUTHENTICATED"))
        let missing = try await stream("nothing", "1", from: emulator)
        #expect(missing.events.first?.at("error.status") == .string("NOT_FOUND"))
        let plain = try await emulator.request(
          "POST",
          "functions",
          "/p/us-central1/tell",
          json: #"{"data":1}"#
        )
        #expect(plain.json == (try json(#"{"result":"unread"}"#)))
      }
    }
  }

  @Test(arguments: ["worker", "process"], ["openai", "anthropic"])
  func `an answer is streamed sentence by sentence, and ends with the whole result`(
    isolation: String,
    provider: String
  ) async throws {
    try await withEmulator(
      "--no-triggers",
      "--isolation",
      isolation,
      environment: ["LLM_PROVIDER": provider]
    ) { emulator in
      try await emulator.write(
        """
        {"users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
         "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
         "conversations/c1": {"participants": ["sarah", "marco"]},
         "conversations/c1/messages/m1": {"senderId": "sarah", "language": "en",
           "text": "Dinner is at eight. Please bring your passport",
           "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
        """
      )
      let token = try await runProgram(
        "emulator",
        ["token", "--uid", "marco", "--project", emulator.project]
      ).text.trimmingLineFeed
      let (response, events) = try await stream(
        "askAI",
        #"{"conversationId":"c1","query":"When is dinner?"}"#,
        headers: [HTTPHeader("Authorization", "Bearer \(token)")],
        from: emulator
      )
      #expect(response.status == 200)
      let whole = try #require(events.last?.at("result.aiResponse")?.string)
      #expect(whole.contains("Dinner is at eight"))
      let partials = events.dropLast().map { $0.at("message.aiResponse")?.string ?? "?" }
      #expect(partials.allSatisfy { whole.hasPrefix($0) })
      // A process that the emulator started in advance for one event also sends partial results.
      #expect(!partials.isEmpty)
    }
  }

  /// The model streams an allowed sentence, and then a sentence with a forbidden link.
  @Test func `a sentence that an answer must not contain isn't streamed`() async throws {
    let answer =
      #"{\"answer\":\"La cena è alle otto. Guarda https://evil.example/x adesso. Ciao a tutti.\","#
      + #"\"found\":true,\"sources\":[\"m1\"]}"#
    let pieces = [answer.prefix(40), answer.dropFirst(40).prefix(40), answer.dropFirst(80)]
    let chunks =
      pieces.map { #"data: {"choices":[{"delta":{"content":"\#($0)"}}]}"# }
      + [#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#, "data: [DONE]"]
    let model = try LoopbackServer(
      answers: [
        ScriptedAnswer(
          200,
          headers: ["Content-Type: text/event-stream"],
          chunks.map { $0 + "\n\n" }.joined()
        )
      ]
    )
    defer { model.stop() }
    try await withEmulator("--no-triggers") { emulator in
      try await emulator.write(
        """
        {"users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
         "conversations/c1": {"participants": ["sarah", "marco"]},
         "conversations/c1/messages/m1": {"senderId": "sarah", "language": "en",
           "text": "Dinner is at eight",
           "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
        """
      )
      let worker = try await WorkerSession(
        "askAI",
        environment: emulator.environment().merging(["OPENAI_BASE_URL": model.url("/v1")]) { $1 }
      )
      try await worker.send(
        #"{"event":{"data":{"conversationId":"c1","query":"A che ora?"},"auth":{"uid":"marco"}},"#
          + #""invocation":{"id":"i1","streaming":true}}"#
      )
      var partials: [String] = []
      var line = try #require(try await worker.nextLine())
      while line["status"] == nil {
        #expect(line["eventId"] == .string("i1"))
        partials.append(line.at("partial.aiResponse")?.string ?? "?")
        line = try #require(try await worker.nextLine())
      }
      let isChecked = !partials.isEmpty && partials.allSatisfy { $0 == "La cena è alle otto." }
      #expect(isChecked, Comment(rawValue: line.text))
      #expect(line["exitCode"] == .integer(75))
      #expect(await worker.end() == .exited(0))
    }
  }

  @Test func `HEAD gets GET's response without the body`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      for target in ["/", "/nowhere/at/all"] {
        let get = try await emulator.request("GET", "functions", target)
        let head = try await emulator.request("HEAD", "functions", target)
        #expect(head.status == get.status && head.body.isEmpty && !get.body.isEmpty)
      }
    }
  }

  @Test func `a token identifies the caller`() async throws {
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
  func `an invalid call is refused`(
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

  @Test func `a caller named in a bare body counts for nothing`() async throws {
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
