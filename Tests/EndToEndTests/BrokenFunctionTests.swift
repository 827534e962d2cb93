import Core
import TestKit
import Testing

/// Functions that break the contract.
@Suite(.timeLimit(.minutes(10)))
struct BrokenFunctionTests {
  struct Broken: Sendable, CustomTestStringConvertible {
    /// The shell commands that the function runs for an event.
    var script: String
    var testDescription: String
    var exitCode: Int
    /// A part of the expected error message of the delivery.
    var message: String
    var timeoutSeconds: Int

    /// - Parameter timeoutSeconds: the function's time limit. The default is the longest possible,
    ///   for functions that mustn't time out.
    init(
      _ description: String,
      _ script: String,
      exitCode: Int,
      says message: String,
      timeoutSeconds: Int = 3_600
    ) {
      testDescription = description
      self.script = script
      self.exitCode = exitCode
      self.message = message
      self.timeoutSeconds = timeoutSeconds
    }
  }

  static let broken = [
    Broken("prints garbage", "echo garbage", exitCode: 70, says: "not valid JSON"),
    Broken("prints nothing", ":", exitCode: 70, says: "is empty"),
    Broken(
      "prints nothing and fails",
      "exit 9",
      exitCode: 9,
      says: "exited with code 9 without a result"
    ),
    Broken("prints invalid UTF-8", #"printf '\377'"#, exitCode: 70, says: "not valid UTF-8"),
    Broken("prints two lines", "echo '\(ok)'; echo '\(ok)'", exitCode: 70, says: "not valid JSON"),
    Broken("prints 20 MiB", "head -c 20971520 /dev/zero", exitCode: 70, says: "more than"),
    Broken(
      "traps",
      "kill -ILL $$",
      exitCode: 128 + 4,
      says: "the function crashed with signal SIGILL"
    ),
    Broken(
      "is content and fails",
      "echo '\(ok)'; exit 1",
      exitCode: 1,
      says: "code 1 after the result ok"
    ),
    Broken(
      "never ends",
      "sleep 300 & sleep 300",
      exitCode: 75,
      says: "did not end within",
      timeoutSeconds: 1
    ),
    Broken("has a result without status", #"echo '{"contract":1}'"#, exitCode: 70, says: "status"),
  ]

  private static let ok = #"{"status":"ok","exitCode":0}"#

  private func script(_ body: String, timeoutSeconds: Int = 3_600) -> String {
    """
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"broken","callable":true,
        "timeoutSeconds":\(timeoutSeconds),"triggers":[
        {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
      exit
    fi
    \(body)
    """
  }

  @Test(arguments: broken)
  func `a broken function is a failed delivery and leaves nothing behind`(
    _ broken: Broken
  ) async throws {
    try await withTemporaryFolder { folder in
      let script = script(broken.script, timeoutSeconds: broken.timeoutSeconds)
      try await makeFile("\(folder)/broken", script, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.write(#"{"notes/n1":{"text":"hey"}}"#)
        try await emulator.quiet()
        let failed = try await emulator.deliveries("?state=deadLettered")
        let delivery = try #require(failed.first)
        #expect(delivery["exitCode"] == .integer(Int64(broken.exitCode)))
        let message = delivery.at("error.message")?.string ?? ""
        #expect(message.contains(broken.message), Comment(rawValue: message))
        // The emulator is still running.
        #expect(try await emulator.fields(of: "notes/n1") != nil)
        try await emulator.waitForOutput(containing: "broken  created  notes/n1  gave up")
      }
    }
  }

  @Test func `a function that reads slowly or not at all is no failure`() async throws {
    try await withTemporaryFolder { folder in
      let body = "exec 0<&-; echo 'a line of log' >&2; echo '\(Self.ok)'"
      try await makeFile("\(folder)/broken", script(body), isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        let text = String(repeating: "x", count: 900_000)
        try await emulator.write(#"{"notes/n1":{"text":"\#(text)"}}"#)
        try await emulator.quiet()
        #expect(try await emulator.deliveries().first?["state"] == .string("succeeded"))
      }
    }
  }

  @Test(arguments: [
    ("garbage", "echo garbage"), ("fails", "exit 1"), ("hangs", "sleep 300"),
    ("another contract", #"echo '{"contract":2,"name":"x"}'"#),
    ("no name", #"echo '{"contract":1,"name":""}'"#), ("floods", "cat /dev/zero"),
  ])
  func `a program without a manifest is no function, and the emulator starts`(
    name: String,
    body: String
  ) async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/broken", "#!/bin/sh\n\(body)\n", isExecutable: true)
      try await makeFile("\(folder)/text", "#!/bin/sh\n")
      try await makeFile("\(folder)/nonsense", "\u{7F}ELF", isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        let functions = try await emulator.request("GET", "ui", "/api/functions").json
        #expect(functions == .array([]))
        let errors = try await emulator.endAndReadErrors()
        #expect(errors.contains("\(folder)/broken"))
        #expect(errors.contains("\(folder)/nonsense"))
      }
    }
  }

  @Test(arguments: [
    ("never says it is ready", "sleep 300", "ready", 1),
    ("ends at once", "exit 3", "ready", 3_600),
    ("answers garbage", "\(ready); read -r line; echo garbage; cat", "not valid JSON", 3_600),
    (
      "ends before it answers", "\(ready); read -r line; exit 3", "code 3, before it answered",
      3_600
    ),
    (
      "answers another event",
      #"\#(ready); read -r l; echo '{"status":"ok","invocationId":"x"}'; cat"#, "another event",
      3_600
    ),
    // Eight seconds, because a worker on a busy machine may need several to become ready.
    ("never answers", "\(ready); read -r line; sleep 300", "did not answer within", 8),
  ])
  func `a broken worker is a failed delivery`(
    name: String,
    body: String,
    message: String,
    timeoutSeconds: Int
  ) async throws {
    try await withTemporaryFolder { folder in
      let script = """
        #!/bin/sh
        if [ "$1" = --describe ]; then
          echo '{"contract":1,"name":"broken","worker":true,
            "timeoutSeconds":\(timeoutSeconds),"triggers":[
            {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
          exit
        fi
        \(body)
        """
      try await makeFile("\(folder)/broken", script, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.write(#"{"notes/n1":{"text":"hey"},"notes/n2":{"text":"hey"}}"#)
        try await emulator.quiet()
        let failed = try await emulator.deliveries("?state=deadLettered")
        #expect(failed.count == 2)
        for delivery in failed {
          let error = delivery.at("error.message")?.string ?? ""
          #expect(error.contains(message), Comment(rawValue: error))
        }
      }
    }
  }

  private static let ready = #"echo '{"contract":1,"function":"broken","ready":true}'"#

  @Test func `a function that writes what triggers it is stopped`() async throws {
    try await withTemporaryFolder { folder in
      let script = #"""
        #!/bin/sh
        if [ "$1" = --describe ]; then
          echo '{"contract":1,"name":"echo","concurrency":1,"triggers":[
            {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
          exit
        fi
        curl -s -o /dev/null -X POST -H "traceparent: $TRACEPARENT" -d '{"fields":{}}' \
          "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/notes"
        echo '{"status":"ok"}'
        """#
      try await makeFile("\(folder)/echo", script, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.write(#"{"notes/n1":{}}"#)
        try await emulator.quiet()
        let deliveries = try await emulator.deliveries()
        let last = try #require(deliveries.last)
        #expect(last["state"] == .string("deadLettered"))
        #expect(last.at("error.message")?.string?.contains("chain of more than 16") == true)
        #expect(deliveries.count == 18)
        #expect(deliveries.dropFirst().allSatisfy { $0["cause"] != nil })
      }
    }
  }
}
