import Core
import Delivery
import FunctionHost
import FunctionRuntime
import TestKit
import Testing

/// Functions whose first process breaks the contract. Their later processes work correctly.
@Suite(.timeLimit(.minutes(10)))
struct BadFunctionTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var mode: Mode
    /// The shell commands of the first process.
    var body: String
    var exitCode: Int32
    var message: String
    var isRetryable = true
    /// The time limit in seconds. The default is the longest possible, for functions that mustn't
    /// time out.
    var timeoutSeconds = 3_600

    /// Returns one case for each mode.
    ///
    /// - Parameters:
    ///   - event: the shell commands for the event.
    ///   - codes: the expected exit codes of a one-shot process and of a worker.
    ///   - messages: parts of the expected error messages for a one-shot process and for a worker.
    static func each(
      _ description: String,
      _ event: String,
      codes: (Int32, Int32) = (70, 70),
      says messages: (String, String),
      timeoutSeconds: Int = 3_600
    ) -> [Bad] {
      Mode.allCases.map { mode in
        Bad(
          testDescription: "\(description) (\(mode.rawValue))",
          mode: mode,
          body: mode == .oneShot ? event : "\(mode.ready); read -r line; \(event)",
          exitCode: mode == .oneShot ? codes.0 : codes.1,
          message: mode == .oneShot ? messages.0 : messages.1,
          timeoutSeconds: timeoutSeconds
        )
      }
    }

    static func worker(
      _ description: String,
      _ body: String,
      exitCode: Int32 = 70,
      says message: String,
      timeoutSeconds: Int = 3_600
    ) -> [Bad] {
      [Mode.worker, .standby].map { mode in
        Bad(
          testDescription: "\(description) (\(mode.rawValue))",
          mode: mode,
          body: body,
          exitCode: exitCode,
          message: message,
          timeoutSeconds: timeoutSeconds
        )
      }
    }
  }

  private static let ready = Mode.worker.ready
  private static let early = "before it answered"

  static let silent =
    Bad.each("prints nothing", "exit 0", says: ("is empty", early))
    + Bad.each(
      "fails silently",
      "exit 9",
      codes: (9, 70),
      says: ("exited with code 9", "exited with code 9")
    )
    + Bad.each(
      "traps",
      "kill -ILL $$",
      codes: (132, 70),
      says: ("crashed with signal SIGILL", "crashed with signal SIGILL")
    )
    + Bad.each("closes stdout and ends", "exec 1>&-; exit 0", says: ("is empty", early))
    + Bad.worker(
      "closes stdout and stays",
      "\(ready); read -r line; exec 1>&-; sleep 300",
      says: early
    )
    + Bad.worker("ends before it is ready", "exit 3", says: "did not say that it is ready")
    + Bad.worker("says something else than ready", "echo hello; cat", says: "that it is ready")

  static let talkative =
    Bad.each("prints garbage", "echo garbage", says: ("not valid JSON", "not valid JSON"))
    + Bad.each("prints invalid UTF-8", #"printf '\377\n'"#, says: ("UTF-8", "UTF-8"))
    + Bad.each("says no status", "echo '{}'", says: ("status", "status"))
    + Bad.each(
      "prints two lines",
      #"printf '%s\n%s\n' '\#(contentLine)' '\#(contentLine)'"#,
      says: ("not valid JSON", "more than its answer")
    )
    + Bad.each(
      "prints 100 MiB",
      "head -c 104857600 /dev/zero; sleep 300",
      says: ("more than 16 MiB", "more than 16 MiB")
    )
    + Bad.each(
      "is content with another exit code",
      #"echo '{"status":"ok","exitCode":65}'"#,
      says: ("exitCode 65", "exitCode 65")
    )
    + Bad.worker(
      "streams without end",
      """
      \(ready); read -r line
      text=$(head -c 1000000 /dev/zero | tr '\\0' x)
      while :; do echo "{\\"partial\\":\\"$text\\"}"; done
      """,
      says: "more than 16 MiB"
    )
    + Bad.worker(
      "tells of another event",
      #"\#(ready); read -r line; echo '{"eventId":"other","partial":1}'; cat"#,
      says: "another event"
    )
    + Bad.worker(
      "answers another event",
      #"\#(ready); read -r line; echo '{"status":"ok","invocationId":"other"}'; cat"#,
      says: "another event"
    )

  static let slow =
    Bad.each(
      "never ends and ignores SIGTERM, as its child does",
      "trap '' TERM; sleep 300 & while :; do sleep 1; done",
      codes: (75, 75),
      says: ("did not end within", "did not answer within"),
      timeoutSeconds: 1
    )
    + [
      Bad(
        testDescription: "closes stdout and stays (oneShot)",
        mode: .oneShot,
        body: "exec 1>&-; sleep 300",
        exitCode: 75,
        message: "did not end within",
        timeoutSeconds: 1
      ),
      Bad(
        testDescription: "never reads and never ends (oneShot)",
        mode: .oneShot,
        body: "sleep 300",
        exitCode: 75,
        message: "did not end within",
        timeoutSeconds: 1
      ),
    ]
    + Bad.worker(
      "never reads",
      "\(ready); sleep 300",
      exitCode: 75,
      says: "did not answer within",
      timeoutSeconds: 1
    )
    + Bad.worker(
      "never is ready",
      "sleep 300",
      exitCode: 75,
      says: "did not say that it is ready within",
      timeoutSeconds: 1
    )

  @Test(arguments: silent + talkative + slow)
  func `a broken function's error is named and retryable, and the next event succeeds`(_ bad: Bad)
    async throws
  {
    while try await !isSeen(bad) {}
  }

  /// Runs a function whose first process is bad, and checks the errors.
  ///
  /// - Returns: `false` if the bad process never got an event. The first event starts two
  ///   processes. One gets the event, and the other becomes the standby process. If the standby
  ///   process is bad and fails before the next event, the pool replaces it.
  private func isSeen(_ bad: Bad) async throws -> Bool {
    let members = "\(bad.mode.members)\"timeoutSeconds\":\(bad.timeoutSeconds),"
    let body = """
      if mkdir "$FOLDER/bad" 2>/dev/null; then
        \(bad.body)
        exit
      fi
      \(bad.mode.good)
      """
    let isolation = bad.mode == .worker ? Isolation.worker : .process
    return try await withPool(probe(members, body), .init(isolation: isolation)) { test in
      // The event is larger than a pipe's buffer. If the process doesn't read it, the write blocks.
      let event = #"{"text":"\#(String(repeating: "x", count: 200_000))"}"#
      var result = await test.invoke("i1", event: event)
      if bad.mode == .standby, result.status == .ok {
        result = await test.invoke("i1", event: event)
        guard result.status != .ok else { return false }
      }
      // On a busy machine a worker may not become ready within its time limit of one second.
      while bad.message == "did not answer within",
        result.error?.message.contains("did not say that it is ready within") == true
      {
        rmdir("\(test.folder)/bad")
        result = await test.invoke("i1", event: event)
      }
      #expect(result.status == .error)
      #expect(result.exitCode == bad.exitCode)
      #expect(result.isRetryable)
      #expect(result.error?.message.contains(bad.message) == true, "\(result)")
      var next = await test.invoke("i2", event: event)
      // On a busy machine even the good worker may exceed its time limit of one second.
      while next.error?.code == .deadlineExceeded {
        next = await test.invoke("i2", event: event)
      }
      #expect(next.status == .ok, "\(next)")
      return true
    }
  }

  @Test(arguments: [(65, false), (70, false), (75, true), (77, false), (78, false)])
  func `a process's exit code decides whether the event is retried`(
    code: Int32,
    isRetryable: Bool
  ) async throws {
    try await withPool(probe("", "exit \(code)")) { test in
      let result = await test.invoke()
      #expect(result.exitCode == code)
      #expect(result.isRetryable == isRetryable)
    }
  }

  @Test(
    arguments: Mode.allCases,
    [(65, false), (70, false), (75, true), (77, false), (78, false)]
  )
  func `a result's exit code decides whether the event is retried`(
    mode: Mode,
    code: (exitCode: Int32, isRetryable: Bool)
  ) async throws {
    let line = #"{"status":"error","exitCode":\#(code.exitCode),"error":{"message":"so"}}"#
    let body = "\(mode.ready)\nread -r line; echo '\(line)'; exit \(code.exitCode)"
    let isolation = mode == .worker ? Isolation.worker : .process
    try await withPool(probe(mode.members, body), .init(isolation: isolation)) { test in
      let result = await test.invoke()
      #expect(result.exitCode == code.exitCode)
      #expect(result.isRetryable == code.isRetryable)
      #expect(result.error?.message == "so")
    }
  }

  @Test func `a worker's output after its answer isn't the next answer`() async throws {
    let body = """
      \(Mode.worker.ready)
      while read -r line; do
        exec 3>"$FOLDER/printing"
        echo '{"status":"skipped","reason":"right"}'
        echo '{"status":"skipped","reason":"wrong"}'
        exec 3>&-
      done
      """
    try await withPool(probe(Mode.worker.members, body)) { test in
      try test.makePipe("printing")
      for number in 1...3 {
        // The pool may end the worker because of the second line. That closes the pipe, too.
        let printing = Task { try await test.readToEnd("printing") }
        let result = await test.invoke("i\(number)")
        // If the second line arrived together with the first, the event fails and may be retried.
        #expect(result.reason == "right" || result.isRetryable, "\(result)")
        try await printing.value
      }
      #expect(test.lines(of: "groups").count == 3)
    }
  }
}
