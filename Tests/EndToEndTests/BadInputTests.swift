import Core
import TestKit
import Testing

/// Bad input on stdin.
///
/// `runFunction` checks that each run prints one line and exits with the code that the line names.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct BadInputTests {
  struct Input: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    /// A part of the expected error message.
    var message: String

    var testDescription: String { name }

    init(_ name: String, _ bytes: some Sequence<UInt8>, says message: String) {
      self.name = name
      self.bytes = Array(bytes)
      self.message = message
    }
  }

  static let inputs = [
    Input("empty", [], says: "the event is empty"),
    Input("white space", " \r\n\t".utf8, says: "the event is empty"),
    Input("not JSON", "hello".utf8, says: "not valid JSON"),
    Input("truncated", #"{"specversion":"1.0","id":"1","so"#.utf8, says: "not valid JSON"),
    Input("two values", #"{"a":1}{"b":2}"#.utf8, says: "not valid JSON"),
    Input("a NUL byte", [0], says: "not valid JSON"),
    Input(
      "invalid UTF-8",
      Array(#"{"text":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8),
      says: "not valid UTF-8"
    ),
    Input(
      "UTF-16",
      "{}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      says: "not valid UTF-8"
    ),
    Input("an array", "[]".utf8, says: "wrong type"),
    Input("a number", "7".utf8, says: "wrong type"),
    Input(
      "11 MiB",
      Array(#"{"text":""#.utf8) + [UInt8](repeating: 0x78, count: 11 << 20)
        + Array(#""}"#.utf8),
      says: "larger than 10 MiB"
    ),
    Input(
      "deeply nested",
      [UInt8](repeating: UInt8(ascii: "["), count: 100_000),
      says: "not valid JSON"
    ),
  ]

  @Test(arguments: inputs, Products.functions)
  func `input that is no event ends with 65`(_ input: Input, function: String)
    async throws
  {
    let run = try await runFunction(
      function,
      input: input.bytes,
      environment: sharedEmulator().environment()
    )
    #expect(run.exitCode == 65)
    #expect(run.errorCode == "INVALID_ARGUMENT")
    #expect(run.errorMessage?.contains(input.message) == true, Comment(rawValue: run.line.text))
  }

  /// The device file `/dev/full` exists only on Linux.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `an unwritable result ends with 75`() async throws {
    let output = try await runProgram(
      "/bin/sh",
      ["-c", "'\(Products.path(of: "translateMessage"))' --describe > /dev/full"]
    )
    #expect(output.exitCode == 75)
    #expect(output.errorText.contains("stdout can't be written"))
  }

  @Test func `a text of 100,000 characters is left as it is`() async throws {
    let emulator = try sharedEmulator()
    let text = String(repeating: "é", count: 100_000)
    let call = JSONValue.object([
      "text": .string(text), "sourceLang": .string("en"), "targetLang": .string("it"),
    ])
    let called = try await runFunction(
      "translateMessage",
      input: call.text,
      environment: emulator.environment()
    )
    #expect(called.status == "skipped")
    #expect(called.reason?.contains("longer than") == true)
    #expect(called.writes == [])

    let path = "conversations/long/messages/m1"
    try await emulator.write(
      .object([
        ByteKey(path): .object([
          "senderId": .string("sarah"), "recipientId": .string("marco"), "text": .string(text),
          "language": .string("en"),
        ]),
        "users/marco": .object(["primaryLanguage": .string("it")]),
        "users/marco/devices/d": .object(["fcmToken": .string("long-phone")]),
      ])
    )
    let event = try await runProgram(
      "emulator",
      ["generate-event", "created", path, "--project", emulator.project]
    ).text
    let environment = try emulator.environment()
    let triggered = try await runFunction(
      "translateMessage",
      input: event,
      environment: environment
    )
    #expect(triggered.status == "skipped")
    #expect(triggered.reason?.contains("longer than") == true)

    let notified = try await runFunction(
      "sendNotification",
      input: event,
      environment: environment
    )
    #expect(notified.result?.at("recipients.0.reason")?.string?.contains("too long") == true)
    let body = try await emulator.pushes().first { $0["token"]?.string == "long-phone" }?
      .at("message.notification.body")?.string
    #expect(body?.hasSuffix("é…") == true)
  }

  @Test(arguments: ["a\u{0}b", "👩‍👩‍👧‍👦🇮🇹", "\u{202B}שלום\u{202C} \u{200F}مرحبا", "e\u{301}", "\u{FEFF}x"])
  func `a call's text comes back unchanged`(text: String) async throws {
    let call = JSONValue.object([
      "text": .string(text), "sourceLang": .string("en"), "targetLang": .string("it"),
    ])
    let run = try await runFunction(
      "translateMessage",
      input: call.text,
      environment: sharedEmulator().environment()
    )
    let translation = try #require(run.result?["translatedText"]?.string)
    // A text without letters isn't translated, so it has no "⟦it⟧" in front.
    let unmarked = translation.hasPrefix("⟦it⟧ ") ? String(translation.dropFirst(5)) : translation
    #expect(Array(unmarked.unicodeScalars) == Array(text.unicodeScalars))
  }
}

/// Missing and invalid environment variables of a function.
@Suite(.timeLimit(.minutes(10)))
struct FunctionConfigurationTests {
  private let call = #"{"text":"Ciao","sourceLang":"it","targetLang":"en"}"#
  private let complete = plainEnvironment.merging([
    "GOOGLE_CLOUD_PROJECT": "demo-p", "GOOGLE_TRANSLATION_API_KEY": "k", "OPENAI_API_KEY": "k",
    // Nothing can listen on port 1: the port is reserved (RFC 6335) and needs privileges.
    "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
  ]) { $1 }

  @Test(
    arguments: ["translateMessage", "sendNotification"].map {
      ($0, ["GOOGLE_TRANSLATION_API_KEY", "GOOGLE_CLOUD_PROJECT"])
    }
      + ["analyzeMessage", "smartReplies", "askAI"].map {
        ($0, ["OPENAI_API_KEY", "GOOGLE_CLOUD_PROJECT"])
      }
  )
  func `a missing variable is reported at once, before stdin ends`(
    function: String,
    variables: [String]
  ) async throws {
    for (variable, value) in variables.flatMap({ [($0, nil), ($0, "")] }) {
      var environment = complete
      environment[variable] = value
      let run = try await runFunction(
        function,
        input: [UInt8](),
        inputEnd: .open,
        secondsToLive: 2,
        environment: environment
      )
      #expect(run.exitCode == 78)
      let remedy =
        variable == "GOOGLE_TRANSLATION_API_KEY" ? ": set it, or run with a service account" : ""
      #expect(run.errorMessage == "\(variable) is not set\(remedy)")
    }
  }

  @Test(arguments: [
    ("MESSAGES_PATH", "messages"), ("INVOCATION_ATTEMPT", "first"),
    ("INVOCATION_DEADLINE", "tomorrow"), ("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere"),
    ("FIRESTORE_EMULATOR_HOST", "http://x:y"),
  ])
  func `an invalid variable is named`(variable: String, value: String) async throws {
    let environment = complete.merging([variable: value]) { $1 }
    let run = try await runFunction("translateMessage", input: call, environment: environment)
    #expect(run.exitCode == 78)
    #expect(run.errorMessage?.contains(variable) == true, Comment(rawValue: run.line.text))
  }

  @Test func `without an emulator a function ends with 75`() async throws {
    let run = try await runFunction("translateMessage", input: call, environment: complete)
    #expect(run.exitCode == 75)
    #expect(run.errorCode == "UNAVAILABLE")
  }

  @Test func `a deadline in the past is reported, and nothing is done`() async throws {
    let environment = complete.merging(["INVOCATION_DEADLINE": "2025-01-01T00:00:00Z"]) { $1 }
    let run = try await runFunction("translateMessage", input: call, environment: environment)
    #expect((run.exitCode, run.errorCode) == (75, "DEADLINE_EXCEEDED"))
  }

  @Test func `a key that the provider refuses is a configuration error`() async throws {
    try await withEmulator { emulator in
      let environment = try emulator.environment()
        .merging(["GOOGLE_TRANSLATION_API_KEY": "wrong-key"]) { $1 }
      let run = try await runFunction("translateMessage", input: call, environment: environment)
      #expect(run.exitCode == 78)
      #expect(run.errorMessage?.contains("GOOGLE_TRANSLATION_API_KEY") == true)
      #expect(!run.line.text.contains("wrong-key") && !run.errorText.contains("wrong-key"))
    }
  }

  @Test(arguments: [["--wat"], ["--worker", "x"], ["event.json"]])
  func `a wrong command line is refused in the same form`(arguments: [String]) async throws {
    let output = try await runProgram(
      "translateMessage",
      arguments,
      inputEnd: .open,
      environment: complete
    )
    #expect(output.exitCode == 64)
    #expect(output.lines.count == 1)
    let line = try json(output.text)
    try Schema.result.check(line)
    #expect(line["exitCode"] == .integer(64))
  }

  @Test func `no text, token or key of a user is logged`() async throws {
    try await withEmulator { emulator in
      let environment = try emulator.environment().merging(["LOG_LEVEL": "trace"]) { $1 }
      try await emulator.write(
        """
        {"users/marco": {"primaryLanguage": "it"},
         "users/marco/devices/d": {"fcmToken": "secret-token"},
         "conversations/c1": {"participants": ["sarah", "marco"]},
         "conversations/c1/messages/m1":
          {"senderId": "sarah", "text": "private words", "language": "en"}}
        """
      )
      try await emulator.quiet()
      let event = try await runProgram(
        "emulator",
        [
          "generate-event", "created", "conversations/c1/messages/m1", "--text",
          "private words", "--project", emulator.project,
        ]
      ).text
      let logs = try await emulator.request("GET", "ui", "/api/logs").text
      let translated = try await runFunction(
        "translateMessage",
        input: event,
        environment: environment
      )
      let notified = try await runFunction(
        "sendNotification",
        input: event,
        environment: environment
      )
      let errors = try await emulator.endAndReadErrors()
      for text in [logs, errors, translated.errorText, notified.errorText] {
        #expect(!text.contains("private words"))
        #expect(!text.contains("secret-token"))
        #expect(!text.contains("emulator-translation-key"))
      }
      #expect(logs.contains("translated"))
    }
  }
}
