import Core
import HTTPService
import ProviderFakes
import Synchronization
import TestKit
import Testing

/// Requested faults: the routes that request them, and the responses that a provider's clients get.
struct FaultTests {
  /// The provider fakes of one test.
  struct Fakes {
    let all: ProviderFakes

    init(chaos: @escaping @Sendable (String) -> UInt64? = { _ in nil }) {
      all = ProviderFakes(
        translationKey: "t",
        openAIKey: ModelCall.key,
        anthropicKey: ModelCall.key,
        now: { 7 },
        newID: { "id" },
        chaos: chaos
      )
    }

    func send(
      _ method: String,
      _ path: [String],
      _ body: String = "",
      headers: [String: String] = [:]
    ) async throws(StatusError) -> ServiceResponse {
      try await all.respond(
        to: ServiceRequest(
          method: method,
          path: path,
          headers: [
            "authorization": "Bearer \(ModelCall.key)", "x-goog-api-key": "t",
            "anthropic-version": "2023-06-01",
          ].merging(headers) { _, new in new },
          body: Data(body.utf8)
        )
      )
    }

    @discardableResult
    func ask(for fault: String) async throws(StatusError) -> ServiceResponse {
      try await send("POST", ["faults"], fault)
    }

    func left() async throws -> [JSONValue] {
      try await send("GET", ["faults"]).json?["faults"]?.array ?? []
    }

    func translate(_ text: String = "Thank you!") async throws(StatusError) -> ServiceResponse {
      try await send(
        "POST",
        ["language", "translate", "v2"],
        #"{"q":["\#(text)"],"source":"en","target":"it","format":"text"}"#,
        // The fake would use a bearer token in place of the key.
        headers: ["authorization": ""]
      )
    }

    func chat(stream: Bool = false) async throws(StatusError) -> ServiceResponse {
      let prompt = (ModelCall.prompts["reply_suggestions"] ?? "").encodedAsJSON
      return try await send(
        "POST",
        ModelCall.chat,
        """
        {"model":"m","stream":\(stream),"messages":[{"role":"user","content":\(prompt)}],
        "response_format":{"type":"json_schema","json_schema":{"name":"reply_suggestions",
        "strict":true,"schema":\(ModelCall.suggestions)}}}
        """
      )
    }

    func message() async throws(StatusError) -> ServiceResponse {
      let prompt = (ModelCall.prompts["reply_suggestions"] ?? "").encodedAsJSON
      return try await send(
        "POST",
        ModelCall.messages,
        """
        {"model":"m","max_tokens":300,"messages":[{"role":"user","content":\(prompt)}],
        "tools":[{"name":"answer","input_schema":\(ModelCall.suggestions)}],
        "tool_choice":{"type":"tool","name":"answer"}}
        """
      )
    }
  }

  @Test func `faults are switched off one by one`() async throws {
    let fakes = Fakes()
    for status in [500, 503] {
      try await fakes.ask(
        for: #"{"provider":"translation","kind":"status","status":\#(status)}"#
      )
    }
    let ids = try await fakes.left().compactMap { $0["id"] }
    #expect(ids == [.integer(1), .integer(2)])
    let rest = try await fakes.send("DELETE", ["faults", "1"]).json?["faults"]?.array ?? []
    #expect(rest.map { $0["status"] } == [.integer(503)])
    // A fault that is in the list can be requested again. Deleting a fault twice succeeds.
    try await fakes.ask(for: #"{"id":1,"provider":"translation","kind":"empty"}"#)
    #expect(try await fakes.left().map { $0["id"] } == [.integer(2), .integer(3)])
    #expect(try await fakes.send("DELETE", ["faults", "1"]).status == 200)
    #expect(try await fakes.translate().status == 503)
  }

  @Test func `a fault affects a given number of requests to one provider, after a given number`()
    async throws
  {
    let fakes = Fakes()
    try await fakes.ask(
      for: #"{"provider":"translation","kind":"status","status":503,"after":1,"times":2}"#
    )
    try await fakes.ask(for: #"{"provider":"openai","kind":"status","status":500}"#)
    try await fakes.ask(for: #"{"provider":"translation","kind":"empty"}"#)
    #expect(try await fakes.left().count == 3)
    var statuses: [Int] = []
    for _ in 1...3 { statuses.append(try await fakes.translate().status) }
    #expect(statuses == [200, 503, 503])
    let left = try await fakes.left()
    #expect(left.compactMap { $0["kind"]?.string } == ["status", "empty"])
    let empty = try await fakes.translate()
    #expect(empty.status == 200 && empty.body.isEmpty)
    #expect(try await fakes.translate().body.isEmpty == false)
    // Three responses have status 200, one of which is empty. Two have status 503.
    let usage = try await fakes.send("GET", ["usage"]).json?["requests"]?["translation"]
    #expect(usage == .object(["200": .integer(3), "503": .integer(2)]))
    #expect(try await fakes.send("DELETE", ["faults"]).json?["faults"] == .array([]))
    #expect(try await fakes.left() == [])
  }

  @Test(arguments: [
    (#"{"provider":"bing","kind":"empty"}"#, "provider: \"bing\" isn't one of translation"),
    (#"{"provider":"fcm","kind":"flood"}"#, "kind: \"flood\" isn't one of status"),
    (#"{"provider":"fcm","kind":"refusal"}"#, "kind: the fake of fcm can't simulate refusal"),
    (
      #"{"provider":"translation","kind":"length"}"#,
      "kind: the fake of translation can't simulate length"
    ),
    (#"{"provider":"fcm","kind":"empty","chance":0.5}"#, "chance"),
    (#"{"provider":"fcm","kind":"empty","times":0}"#, "times is not between 1"),
    (#"{"provider":"fcm","kind":"empty","after":-1}"#, "after is not between 0"),
    (#"{"provider":"fcm","kind":"empty","times":"2"}"#, "times"),
    (#"{"provider":"fcm","kind":"status"}"#, "status is missing"),
    (#"{"provider":"fcm","kind":"status","status":99}"#, "status is not between 200"),
    (
      #"{"provider":"fcm","kind":"reset","status":500}"#,
      "status: a fault of kind reset has no such field"
    ),
    (
      #"{"provider":"fcm","kind":"html","body":"x"}"#,
      "body: a fault of kind html has no such field"
    ),
    (#"{"provider":"fcm","kind":"delay"}"#, "delayMilliseconds is missing"),
    (#"{"kind":"delay"}"#, "provider"),
    ("[]", ""),
  ])
  func `an error names an invalid fault`(fault: String, reason: String) async throws {
    let fakes = Fakes()
    let error = await #expect(throws: StatusError.self) { try await fakes.ask(for: fault) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(reason) == true, Comment(rawValue: error?.message ?? ""))
    #expect(try await fakes.left() == [])
  }

  @Test(arguments: [
    ("UNREGISTERED", 404), ("SENDER_ID_MISMATCH", 403), ("QUOTA_EXCEEDED", 429),
    ("UNAVAILABLE", 503), ("INTERNAL", 500), ("THIRD_PARTY_AUTH_ERROR", 401),
    ("INVALID_ARGUMENT", 400),
  ])
  func `FCM's own error codes have their status`(code: String, status: Int) async throws {
    let fakes = Fakes()
    try await fakes.ask(for: #"{"provider":"fcm","kind":"status","code":"\#(code)"}"#)
    let response = try await fakes.send("POST", ["v1", "projects", "p", "messages:send"])
    #expect(response.status == status)
    let details = response.json?["error"]?["details"]?.array
    #expect(details?.first?["errorCode"]?.string == code)
    #expect(fakes.all.push.inbox["messages"] == .array([]))
  }

  @Test func `an answer can have any status, headers and body`() async throws {
    let fakes = Fakes()
    try await fakes.ask(
      for: #"{"provider":"translation","kind":"status","status":302,"body":"[]","#
        + #""headers":{"Location":"http://127.0.0.1:1/"}}"#
    )
    let response = try await fakes.translate()
    #expect(response.status == 302)
    #expect(response.header("location") == "http://127.0.0.1:1/")
    #expect(response.body == Data("[]".utf8))
  }

  @Test(arguments: ["timeout-before-headers", "reset"])
  func `a connection is closed without an answer, and the request has no effect`(kind: String)
    async throws
  {
    let fakes = Fakes()
    try await fakes.ask(
      for: #"{"provider":"translation","kind":"\#(kind)","delayMilliseconds":1}"#
    )
    #expect(try await fakes.translate().isCut)
    let usage = try await fakes.send("GET", ["usage"]).json
    #expect(usage?["translatedTexts"] == .integer(0))
    #expect(usage?["requests"]?["translation"]?[kind] == .integer(1))
  }

  @Test(arguments: ["timeout-after-headers", "truncated-json"])
  func `a truncated answer declares its full length`(kind: String) async throws {
    let fakes = Fakes()
    let good = try await fakes.translate()
    try await fakes.ask(
      for: #"{"provider":"translation","kind":"\#(kind)","delayMilliseconds":1}"#
    )
    let response = try await fakes.translate()
    #expect(response.header("content-length") == "\(good.body.count)")
    let (body, isWhole) = try await response.written()
    #expect(!isWhole)
    #expect(body == good.body.prefix(good.body.count / 2))
  }

  @Test func `a slow body arrives complete`() async throws {
    let fakes = Fakes()
    let good = try await fakes.translate()
    try await fakes.ask(
      for: #"{"provider":"translation","kind":"slow-body","delayMilliseconds":0}"#
    )
    let (body, isWhole) = try await fakes.translate().written()
    #expect(isWhole && body == good.body)
  }

  @Test func `a malformed body is declared as JSON, and HTML is not`() async throws {
    let fakes = Fakes()
    for kind in ["malformed-json", "html"] {
      try await fakes.ask(for: #"{"provider":"translation","kind":"\#(kind)"}"#)
    }
    let malformed = try await fakes.translate()
    #expect(malformed.status == 200 && malformed.json == nil)
    #expect(malformed.header("content-type")?.hasPrefix("application/json") == true)
    let page = try await fakes.translate()
    #expect(page.status == 502)
    #expect(page.header("content-type")?.hasPrefix("text/html") == true)
  }

  // MARK: Well-formed answers

  @Test(arguments: ["length", "refusal", "content-filter"])
  func `a model ends its answer early in the form of each API`(kind: String) async throws {
    let fakes = Fakes()
    try await fakes.ask(for: #"{"provider":"openai","kind":"\#(kind)"}"#)
    try await fakes.ask(for: #"{"provider":"anthropic","kind":"\#(kind)"}"#)
    // The fault applies only to requests without streaming.
    #expect(try await fakes.chat(stream: true).events.last == "[DONE]")
    let choice = try await fakes.chat().json?["choices"]?.array?.first
    let reasons = ["length": "length", "refusal": "stop", "content-filter": "content_filter"]
    #expect(choice?["finish_reason"]?.string == reasons[kind])
    #expect((choice?["message"]?["refusal"]?.string != nil) == (kind == "refusal"))
    let message = try await fakes.message().json
    #expect(message?["stop_reason"]?.string == (kind == "length" ? "max_tokens" : "refusal"))
  }

  @Test(arguments: [("wrong-language", "答え"), ("nonsense", "xyzzy"), ("link", "<a href=")])
  func `an answer keeps its form and loses its meaning`(kind: String, word: String) async throws {
    let fakes = Fakes()
    for provider in ["openai", "anthropic", "translation"] {
      try await fakes.ask(for: #"{"provider":"\#(provider)","kind":"\#(kind)"}"#)
    }
    let content = try await fakes.chat().json?["choices"]?.array?.first?["message"]?["content"]
    let answer = try JSONValue(parsing: Data((content?.string ?? "").utf8))
    let input = try await fakes.message().json?["content"]?.array?.first?["input"]
    for value in [answer, input] {
      let texts = (value?["suggestions"]?.array ?? []).compactMap { $0["text"]?.string }
      #expect(Set(texts).count == 3)
      #expect(texts.allSatisfy { $0.contains(word) })
    }
    let translations = try await fakes.translate().json?["data"]?["translations"]?.array
    #expect(translations?.first?["translatedText"]?.string?.contains(word) == true)
    #expect(translations?.first?["model"]?.string == "phrasebook")
  }

  // MARK: Chaos

  private final class Names: Sendable {
    let all = Mutex<[String]>([])
  }

  @Test func `chaos identifies requests by content and repetition`() async throws {
    let names = Names()
    let fakes = Fakes { name in
      names.all.withLock { all in
        all.append(name)
        return all.count == 2 ? 0 : nil
      }
    }
    var statuses: [Int] = []
    for text in ["a", "a", "b"] { statuses.append(try await fakes.translate(text).status) }
    #expect(statuses == [200, 500, 200])
    let seen = names.all.withLock(\.self)
    #expect(seen[0].hasSuffix(" 1") && seen[1].hasSuffix(" 2") && seen[2].hasSuffix(" 1"))
    #expect(seen[0].dropLast() == seen[1].dropLast())
    #expect(seen[0] != seen[2])
  }
}

extension ServiceResponse {
  private struct Collector: ServiceResponseWriter {
    var body = Data()
    mutating func write(_ bytes: Data) { body.append(bytes) }
    mutating func flush() {}
  }

  /// Returns the bytes that the stream writes, and whether it ended without an error.
  fileprivate func written() async throws -> (Data, Bool) {
    let stream = try #require(stream)
    var writer: any ServiceResponseWriter = Collector()
    var isWhole = true
    do {
      try await stream(&writer)
    } catch {
      isWhole = false
    }
    return ((writer as? Collector)?.body ?? Data(), isWhole)
  }
}

extension String {
  fileprivate var encodedAsJSON: String { JSONValue.string(self).text }
}
