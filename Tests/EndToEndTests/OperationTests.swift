import Core
import TestKit
import Testing

/// The routes with which pages show and control functions, logs and the emulator's state.
@Suite(.timeLimit(.minutes(10)))
struct OperationTests {
  /// A function that logs three lines. It fails if its event contains `fail`.
  private let chatty = """
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"chatty","callable":true,"triggers":[
        {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{id}"}]}'
      exit
    fi
    event=$(cat)
    echo '{"severity":"INFO","message":"Hello"}' >&2
    echo '{"severity":"WARNING","message":"careful"}' >&2
    echo 'plain words' >&2
    case $event in
    *fail*)
      echo '{"status":"error","exitCode":65,"error":{"code":"INVALID_ARGUMENT","message":"no"}}'
      exit 65 ;;
    esac
    echo '{"status":"ok","exitCode":0,"result":{"n":1},"usage":{"engines":["e"],"providerCalls":1,
      "cacheHits":3,"cacheMisses":1,"charactersBilled":5,"promptTokens":0,"completionTokens":0,
      "costMicros":100}}' | tr -d '\\n'
    echo
    """

  private func withChatty(
    _ body: @Sendable (EmulatorProcess) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/chatty", chatty, isExecutable: true)
      try await withEmulator(functions: folder) { try await body($0) }
    }
  }

  private func status(of emulator: EmulatorProcess) async throws -> JSONValue {
    let answer = try await emulator.request("GET", "ui", "/api/functions/status")
    return try #require(answer.json.array?.first)
  }

  @Test func `one function is paused and resumed, and no event is lost`() async throws {
    try await withChatty { emulator in
      let target = "/api/functions/chatty"
      let paused = try await emulator.request("PUT", "ui", target, json: #"{"paused":true}"#)
      #expect(paused.status == 200 && paused.json["paused"] == .boolean(true))
      try await emulator.write(#"{"notes/n1":{"text":"hey"}}"#)
      let waiting = try await status(of: emulator)
      #expect(waiting["paused"] == .boolean(true) && waiting["waiting"] == .integer(1))
      let about = try await emulator.request("GET", "ui", "/api/status").json
      #expect(about.at("switches.pausedFunctions") == .array([.string("chatty")]))
      #expect(about["unfinishedDeliveries"] == .integer(1))

      _ = try await emulator.request("PUT", "ui", target, json: #"{"paused":false}"#)
      try await emulator.quiet()
      let done = try await status(of: emulator)
      #expect(done["paused"] == .boolean(false) && done["waiting"] == .integer(0))
      #expect(done["attempts"] == .object(["0": .integer(1)]))
      #expect(done.at("latency.count") == .integer(1))
      // One cache miss cost 100 micros, so each of the three cache hits saved as much.
      #expect(done["savedMicros"] == .integer(300))

      for (target, body, status) in [
        ("/api/functions/nobody", #"{"paused":true}"#, 404), (target, #"{"pause":true}"#, 400),
        (target, #"{"paused":true,"x":1}"#, 400),
      ] {
        #expect(try await emulator.request("PUT", "ui", target, json: body).status == status)
      }
    }
  }

  @Test func `a test run runs a function once and returns the outcome`() async throws {
    try await withChatty { emulator in
      let target = "/api/functions/chatty/test"
      let good = try await emulator.request("POST", "ui", target, json: #"{"data":{}}"#)
      #expect(good.json["exitCode"] == .integer(0) && good.json["error"] == nil)
      #expect(good.json.at("output.result.n") == .integer(1))
      let bad = try await emulator.request("POST", "ui", target, json: #"{"data":"fail"}"#)
      #expect(bad.json["exitCode"] == .integer(65))
      #expect(bad.json.at("error.message") == .string("no"))
      #expect(try await emulator.deliveries().isEmpty)
      let counts = try await status(of: emulator)
      #expect(counts["attempts"] == .object(["0": .integer(1), "65": .integer(1)]))
      #expect(counts.at("callLatency.count") == .integer(2))

      let broken = try await emulator.request("POST", "ui", target, json: #"{"data":"#)
      #expect(broken.status == 400 && broken.message?.hasPrefix("the event ") == true)
      let nobody = try await emulator.request(
        "POST",
        "ui",
        "/api/functions/nobody/test",
        json: "{}"
      )
      #expect(nobody.status == 404)
    }
  }

  @Test func `logs are filtered by function, severity and text`() async throws {
    try await withChatty { emulator in
      func messages(_ query: String) async throws -> [String] {
        let answer = try await emulator.request("GET", "ui", "/api/logs\(query)")
        return answer.json.array?.compactMap { $0["message"]?.string } ?? []
      }
      _ = try await emulator.request("POST", "ui", "/api/functions/chatty/test", json: "{}")
      // The emulator may read a process's last log lines after its result.
      while try await messages("").count < 3 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(try await messages("?function=chatty").count == 3)
      #expect(try await messages("?function=other").isEmpty)
      #expect(try await messages("?severity=INFO") == ["Hello", "careful"])
      #expect(try await messages("?severity=WARNING") == ["careful"])
      #expect(try await messages("?text=hELLO") == ["Hello"])
      #expect(try await messages("?limit=1") == ["plain words"])
      let numbers = try await emulator.request("GET", "ui", "/api/logs").json.array?.map {
        $0["number"]
      }
      #expect(numbers == [.integer(1), .integer(2), .integer(3)])
      for query in ["?severity=LOUD", "?limit=x", "?limit=-1"] {
        let answer = try await emulator.request("GET", "ui", "/api/logs\(query)")
        #expect(answer.status == 400 && answer.message?.isEmpty == false)
      }
    }
  }
}
