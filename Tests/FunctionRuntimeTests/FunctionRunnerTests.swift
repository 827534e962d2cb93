import Core
import FirestoreModel
import FunctionRuntime
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FunctionRunnerTests {
  struct BadInput: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: Data
    var message: String

    init(_ description: String, _ bytes: Data, _ message: String) {
      testDescription = description
      self.bytes = bytes
      self.message = message
    }

    init(_ text: String, _ message: String) { self.init(text, Data(text.utf8), message) }
  }

  private static let notJSON = "the event is not valid JSON, or has a number out of range"
  private static let noObject = "the event has the wrong type (expected an object)"

  static let badInputs: [BadInput] = [
    BadInput("", "the event is empty"), BadInput(" \r\n\t\n", "the event is empty"),
    BadInput("Hello", notJSON), BadInput("{", notJSON), BadInput(#"{"name":"An"#, notJSON),
    BadInput(#"{"name":"Ann"} {}"#, notJSON), BadInput("{'name':1}", notJSON),
    BadInput(#"{"name":"\ud800"}"#, notJSON), BadInput("\u{0}", notJSON),
    BadInput("[]", noObject), BadInput("[{}]", noObject), BadInput("7", noObject),
    BadInput("1e999", notJSON), BadInput("true", noObject), BadInput("null", noObject),
    BadInput(#""\#(Greet.marker)""#, noObject),
    BadInput(
      #"{"name":["\#(Greet.marker)"]}"#,
      #"the event has the wrong type at "name" (expected a string)"#
    ),
    BadInput("invalid UTF-8", Data([0x22, 0xFF, 0xFE, 0x22]), "the event is not valid UTF-8"),
    BadInput(
      "a surrogate in UTF-8",
      Data([0x22, 0xED, 0xA0, 0x80, 0x22]),
      "the event is not valid UTF-8"
    ),
    BadInput("10,000 arrays", Data(repeating: UInt8(ascii: "["), count: 10_000), notJSON),
    BadInput(
      "10,000 objects",
      Data(
        (String(repeating: #"{"a":"#, count: 10_000) + "1" + String(repeating: "}", count: 10_000))
          .utf8
      ),
      notJSON
    ),
    BadInput(
      "11 MiB",
      Data(#"{"name":""#.utf8) + Data(repeating: UInt8(ascii: "x"), count: 11 << 20)
        + Data(#""}"#.utf8),
      "the event is larger than 10 MiB"
    ),
  ]

  @Test(arguments: badInputs)
  func `bad input is answered with the reason and 65`(input: BadInput) async throws {
    let runner = try FunctionRunner<Greet>.forTests()
    let reply = await runner.reply(to: input.bytes, invocation: Invocation(id: "i1"))
    #expect(reply.error?.code == .invalidArgument)
    #expect(reply.error?.message == input.message)
    #expect(reply.exitCode == .badEvent)
    #expect(reply.status == .error)
    #expect(reply.eventID == "i1")
    #expect(!String(decoding: reply.line, as: UTF8.self).contains(Greet.marker))
  }

  @Test func `an event of 10 MiB is accepted`() async throws {
    let runner = try FunctionRunner<Greet>.forTests()
    let frame = #"{"name":"skip","padding":""}"#
    let padding = String(
      repeating: "x",
      count: FunctionRunner<Greet>.maximumEventBytes - frame.utf8.count
    )
    let input = frame.replacing(#""""#, with: "\"\(padding)\"")
    #expect(input.utf8.count == 10 << 20)
    #expect(await runner.reply(input).status == .skipped)
  }

  @Test(arguments: [
    ("Ann", "Ann"), (#"\u0000"#, #"\u0000"#), (#"\u202eAnn"#, "\u{202E}Ann"),
    ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), (#"a\nb\"c"#, #"a\nb\"c"#), ("\u{2066}", "\u{2066}"),
  ])
  func `a call transfers text of any characters unchanged`(name: String, result: String)
    async throws
  {
    let runner = try FunctionRunner<Greet>.forTests()
    let reply = await runner.reply(
      #"{"data":{"name":"\#(name)","unknown":{"a":[1,null]}},"auth":{"uid":"u1","token":{}}}"#
    )
    #expect(reply.status == .ok)
    #expect(reply.resultText == #"{"caller":"u1","greeting":"Hello \#(result)"}"#)
  }

  @Test func `a trigger's event has the values that its pattern captured`() async throws {
    let runner = try FunctionRunner<Greet>.forTests()
    let name = "projects/p/databases/(default)/documents/a/1"
    let data = #"{"value":\#(EventFixtures.document(name))}"#
    let reply = await runner.reply(EventFixtures.cloudEvent("created", data))
    #expect(reply.resultText == #"{"id":"1"}"#)
    #expect(reply.eventID == "e1")
    #expect(reply.exitCode == .ok)
  }

  @Test(arguments: [
    (
      EventFixtures.cloudEvent("created", EventFixtures.created),
      "the document is not at a/{id}"
    ),
    (
      EventFixtures.cloudEvent("deleted", EventFixtures.deleted),
      "greet does not handle deleted documents"
    ),
    (
      #"{"specversion":"1.0","id":"e1","source":"s","type":"com.example\u202e.x"}"#,
      #"greet does not handle events of type "com.example.x""#
    ),
  ])
  func `an event that matches no trigger is skipped with the reason`(
    event: String,
    reason: String
  ) async throws {
    let runner = try FunctionRunner<Greet>.forTests()
    let reply = await runner.reply(
      event,
      Invocation(deadline: Timestamp(seconds: 1))
    )
    #expect(reply.status == .skipped)
    #expect(reply.reason == reason)
    #expect(reply.exitCode == .ok)
    #expect(reply.eventID == "e1")
  }

  // MARK: Failures

  @Test(arguments: StatusCode.allCases)
  func `the reply contains the function's error`(code: StatusCode) async throws {
    let reply = try await FunctionRunner<Greet>.forTests().call(code.rawValue)
    #expect(reply.error == .init(StatusError(code, "as asked")))
    #expect(reply.exitCode == ExitCode(StatusError(code, "")))
  }

  @Test func `another service's error message is not returned to the caller`() async throws {
    let reply = try await FunctionRunner<Greet>.forTests().call("refused")
    #expect(reply.error?.code == .failedPrecondition)
    #expect(reply.exitCode == .badEvent)
    let message = "a request of greet to another service was refused; the log says more"
    #expect(reply.error?.message == message)
  }

  @Test(arguments: [("unexpected", "Unexpected"), ("cancelled", "CancellationError")])
  func `an unexpected error exits as a bug and shows only its type`(
    name: String,
    type: String
  ) async throws {
    let reply = try await FunctionRunner<Greet>.forTests().call(name)
    #expect(reply.exitCode == .bug)
    #expect(reply.error?.code == .internal)
    #expect(reply.error?.message == type)
  }

  @Test func `a failed invocation still reports its writes and usage`() async throws {
    let reply = try await FunctionRunner<Greet>.forTests().call("partial")
    #expect(reply.exitCode == .tryAgain)
    #expect(reply.error?.retryAfterMs == 2_000)
    #expect(reply.writes == [.init(document: "a/1", operation: .set)])
    #expect(reply.usage.providerCalls == 1)
    #expect(reply.messageLatencies.isEmpty, "the next attempt has them")
    let skipped = try await FunctionRunner<Greet>.forTests().call("skip")
    #expect(skipped.messageLatencies.durations == [.read: .seconds(1)])
  }

  @Test func `a deadline in the past exits with 75 and runs nothing`() async throws {
    let reply = try await FunctionRunner<Greet>.forTests().call(
      "unexpected",
      Invocation(deadline: Timestamp(seconds: 1_700_000_000))
    )
    #expect(reply.exitCode == .tryAgain)
    #expect(reply.error?.code == .deadlineExceeded)
  }

  @Test func `a call to a function that isn't callable is refused`() async throws {
    let runner = try FunctionRunner<Greet>.forTests(["GREET_KEY": "k", "GREET_CALLABLE": "no"])
    let reply = await runner.call("Ann")
    #expect(reply.exitCode == .badEvent)
    #expect(reply.error?.message.hasSuffix("greet is not callable") == true)
  }

  // MARK: Configuration

  @Test(arguments: [[:], ["GREET_KEY": ""]])
  func `every event reports a missing variable and exits with 78`(
    environment: [String: String]
  ) async throws {
    let runner = try FunctionRunner<Greet>.forTests(environment)
    #expect(runner.configurationError?.message == "GREET_KEY is not set")
    for _ in 0..<2 {
      let reply = await runner.call("Ann")
      #expect(reply.exitCode == .configuration)
      #expect(reply.error?.code == .failedPrecondition)
      #expect(reply.error?.message == "GREET_KEY is not set")
      #expect(reply.error?.retryable == false)
    }
    let skipped = await runner.reply(EventFixtures.cloudEvent("created", EventFixtures.created))
    #expect(skipped.status == .skipped)
  }

  @Test func `every event reports an invalid log level and exits with 78`() async throws {
    let environment = ["GREET_KEY": "k", "LOG_LEVEL": "loud"]
    let runner = try FunctionRunner<Greet>.forTests(environment)
    let message =
      "LOG_LEVEL must be one of trace, debug, info, notice, warning, error, critical"
    #expect(runner.configurationError?.message == message)
    let reply = await runner.call("Ann")
    #expect(reply.exitCode == .configuration)
    #expect(reply.error?.message == message)
  }

  @Test func `any other failure to create the function exits with 78`() async throws {
    let runner = try FunctionRunner<Greet>.forTests(["GREET_KEY": "broken"])
    #expect(await runner.call("Ann").exitCode == .configuration)
  }

  // MARK: Context

  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let newTrace = "00000000000000010000000000000002"

  @Test func `injected clock and random numbers make a replay identical byte for byte`()
    async throws
  {
    var lines: [Data] = []
    for _ in 0..<3 {
      var reply = try await FunctionRunner<Greet>.forTests().call("context")
      reply.duration = .zero
      lines.append(reply.line)
    }
    #expect(Set(lines).count == 1)
    let line = String(decoding: lines[0], as: UTF8.self)
    #expect(line.contains(#""now":"2023-11-14T22:13:20.000005Z""#))
    // The invocation's ID takes two random numbers, the trace's ID two more, and the span's ID one.
    #expect(line.contains(#""eventId":"BAAAAAAAAACAAAAAAAAA""#))
    #expect(line.contains(#""invocationID":"BAAAAAAAAACAAAAAAAAA""#))
    #expect(
      line.contains("\"traceparent\":\"00-00000000000000030000000000000004-0000000000000005-01\"")
    )
    #expect(line.contains(#""attempt":"1""#))
  }

  @Test func `an invocation has an id, an attempt and a trace context`() async throws {
    let traceparent = "00-\(Self.trace)-b7ad6b7169203331-00"
    let reply = try await FunctionRunner<Greet>.forTests().call(
      "context",
      Invocation(id: "i1", attempt: 3, traceparent: traceparent)
    )
    #expect(reply.eventID == "i1")
    let result = try #require(reply.resultText)
    #expect(result.contains(#""attempt":"3","eventID":"i1","invocationID":"i1""#))
    #expect(result.contains("\"traceparent\":\"\(traceparent)\""))
  }

  @Test(arguments: [
    (nil, 7.0), (Timestamp(seconds: 1_700_000_100), 100.0),
    (Timestamp(seconds: 253_402_300_799), 251_702_300_799.0),
  ])
  func `the time left comes from the dispatcher, or else from the manifest`(
    deadline: Timestamp?,
    seconds: Double
  ) async throws {
    let start = ContinuousClock.now
    let reply = try await FunctionRunner<Greet>.forTests().call(
      "deadline",
      Invocation(deadline: deadline)
    )
    let left = try #require(reply.resultText.flatMap(Double.init))
    let elapsed = start.duration(to: .now) / .seconds(1)
    #expect((seconds - elapsed - 0.001...seconds).contains(left))
  }

  static let malformed = [
    "", "x", "00-\(trace)-b7ad6b7169203331", "00-\(trace)-b7ad6b7169203331-01-x",
    "00-\(trace.uppercased())-b7ad6b7169203331-01", "00-\(trace)-B7AD6B7169203331-01",
    "00-\(String(repeating: "0", count: 32))-b7ad6b7169203331-01",
    "00-\(trace)-0000000000000000-01", "00-\(trace.dropLast())-b7ad6b7169203331-01",
    "00-\(trace.dropLast(6))ａａ-b7ad6b7169203331-01", "00-\(trace)-b7ad6b716920\\r\\nX: y-01",
    "00-\(trace)-b7ad6b7169203331-01\\r\\nX: y", "\(trace)-b7ad6b7169203331-01-00",
  ]

  @Test(arguments: malformed)
  func `an invalid trace context is replaced in an invocation and in an event`(text: String)
    async throws
  {
    let name = "projects/p/databases/(default)/documents/a/1"
    let line = #"{"event":{"name":"context"},"invocation":{"id":"i","traceparent":"\#(text)"}}"#
    let reply = try await FunctionRunner<Greet>.forTests().reply(toLine: Data(line.utf8))
    let result = try #require(reply.resultText)
    #expect(result.contains("\"traceparent\":\"00-\(Self.newTrace)-0000000000000003-01\""))
    let event: Data = Data(
      EventFixtures.cloudEvent(
        "created",
        #"{"value":\#(EventFixtures.document(name))}"#,
        more: #","traceparent":"\#(text)""#
      ).utf8
    )
    let ofEvent = try await FunctionRunner<Greet>.forTests().reply(
      to: event,
      invocation: Invocation()
    )
    #expect(ofEvent.status == .ok)
  }

  @Test func `a new span keeps the event's trace id`() {
    let sources = FunctionContext.Sources(now: { Timestamp(seconds: 0) }, random: { 255 })
    #expect(
      sources.newTraceparent(in: "00-\(Self.trace)-b7ad6b7169203331-00")
        == "00-\(Self.trace)-00000000000000ff-01"
    )
    #expect(
      sources.newTraceparent(in: "nonsense")
        == "00-00000000000000ff00000000000000ff-00000000000000ff-01"
    )
  }

  @Test func `only a change in the past has a latency`()
    async throws
  {
    let runner = try FunctionRunner<Greet>.forTests()
    let name = "projects/p/databases/(default)/documents/a/1"
    let event: Data = Data(
      EventFixtures.cloudEvent("created", #"{"value":\#(EventFixtures.document(name))}"#).utf8
    )
    func latency(at time: String) async throws -> Duration? {
      await runner.reply(to: event, invocation: Invocation(time: try Timestamp(time))).latency
    }
    #expect(try await latency(at: "2026-01-02T00:00:01.5Z") == .milliseconds(1_500))
    #expect(try await latency(at: "2026-01-01T00:00:00Z") == .zero)
    #expect(await runner.call("skip", Invocation(id: "i1")).latency == nil)
  }

  // MARK: Replays

  @Test func `invocations with the same id and time are identical`() async throws {
    let runner = try FunctionRunner<Greet>.forTests()
    let time = Timestamp(seconds: 1_500_000_000)
    let invocation = Invocation(id: "i1", traceparent: "", time: time)
    let first = await runner.call("context", invocation).resultText
    #expect(first?.contains(#""now":"2017-07-14T02:40:00Z""#) == true)
    #expect(await runner.call("context", invocation).resultText == first)
    let other = await runner.call("context", Invocation(id: "i2", time: time)).resultText
    #expect(other != first)
  }

  @Test func `a replay's deadline is relative to its own time`() async throws {
    let time = Timestamp(seconds: 1_500_000_000)
    let reply = await (try FunctionRunner<Greet>.forTests()).call(
      "deadline",
      Invocation(id: "i1", deadline: time.advanced(by: .seconds(30)), time: time)
    )
    let seconds = try #require(reply.resultText.flatMap(Double.init))
    #expect(seconds <= 30 && seconds > 0)
  }

  @Test func `random numbers of a replay depend on its id alone`() {
    let time = Timestamp(seconds: 0)
    let (one, same) = (
      FunctionContext.Sources.fixed(at: time, seed: "a"),
      FunctionContext.Sources.fixed(at: time, seed: "a")
    )
    let other = FunctionContext.Sources.fixed(at: time, seed: "b")
    let ids = (0..<3).map { _ in one.newID() }
    #expect(ids == (0..<3).map { _ in same.newID() })
    #expect(Set(ids).count == 3)
    #expect(!ids.contains(other.newID()))
  }

  // MARK: Variables

  @Test func `one-shot mode reads its invocation from variables`() throws {
    let invocation = try Invocation(
      Configuration(environment: [
        "INVOCATION_ID": "i1", "INVOCATION_ATTEMPT": "2",
        "INVOCATION_DEADLINE": "2026-01-01T00:00:00.5+01:00", "TRACEPARENT": "t",
        "INVOCATION_TIME": "2026-01-01T00:00:00Z",
      ])
    )
    #expect(
      invocation
        == Invocation(
          id: "i1",
          attempt: 2,
          deadline: Timestamp(seconds: 1_767_222_000, nanoseconds: 500_000_000),
          traceparent: "t",
          time: Timestamp(seconds: 1_767_225_600)
        )
    )
    #expect(try Invocation(Configuration(environment: ["INVOCATION_ID": ""])) == Invocation())
  }

  @Test(arguments: [
    ("INVOCATION_ATTEMPT", "0"), ("INVOCATION_ATTEMPT", "-1"), ("INVOCATION_ATTEMPT", "two"),
    ("INVOCATION_ATTEMPT", "1.0"), ("INVOCATION_ATTEMPT", "9223372036854775808"),
    ("INVOCATION_ATTEMPT", " 1"), ("INVOCATION_DEADLINE", "soon"),
    ("INVOCATION_DEADLINE", "1700000000"), ("INVOCATION_DEADLINE", "2026-02-30T00:00:00Z"),
    ("INVOCATION_DEADLINE", "2026-01-01T00:00:00"), ("INVOCATION_TIME", "now"),
  ])
  func `an invalid variable is named, and exits with 78`(name: String, value: String) {
    let error = #expect(throws: StatusError.self) {
      try Invocation(Configuration(environment: [name: value]))
    }
    #expect(error.map(ExitCode.init) == .configuration)
    #expect(error?.message.hasPrefix(name + " ") == true)
  }
}
