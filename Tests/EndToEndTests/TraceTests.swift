import Core
import HTTPClient
import TestKit
import Testing

/// The trace of a message: the writes, invocations and provider requests that led to each other.
@Suite(.timeLimit(.minutes(10)))
struct TraceTests {
  private static let message = #"""
    {"conversations/c/messages/m": {
      "senderId": "sarah", "text": "Thank you so much, Kowalski!", "language": "en", "readBy": [],
      "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}
    }}
    """#

  /// Writes two people and a message, and waits until all functions have finished.
  private func writeMessage(_ emulator: EmulatorProcess) async throws {
    try await emulator.write(
      """
      {"users/sarah": {"primaryLanguage": "en"},
       "users/marco": {"primaryLanguage": "it"},
       "users/marco/devices/d": {"fcmToken": "marco-phone"},
       "conversations/c": {"type": "one-on-one", "participants": ["sarah", "marco"]}}
      """
    )
    try await emulator.write(Self.message)
    try await emulator.quiet()
  }

  private func delivery(
    of function: String,
    _ emulator: EmulatorProcess
  ) async throws -> JSONValue {
    let found = try await emulator.deliveries("?function=\(function)")
    return try #require(found.first { $0["document"]?.string == "conversations/c/messages/m" })
  }

  private func get(_ path: String, _ emulator: EmulatorProcess) async throws -> JSONValue {
    let answer = try await emulator.request("GET", "ui", path)
    #expect(answer.status == 200, Comment(rawValue: path))
    return answer.json
  }

  private func trace(_ id: String, _ emulator: EmulatorProcess) async throws -> [JSONValue] {
    try #require(try await get("/api/trace/\(id)", emulator)["nodes"]?.array)
  }

  @Test func `a message's trace has its functions, their provider requests and their writes`()
    async throws
  {
    try await withEmulator { emulator in
      try await writeMessage(emulator)
      let delivery = try await delivery(of: "translateMessage", emulator)
      let id = try #require(delivery["id"]?.string)
      let nodes = try await trace(id, emulator)
      let root = try #require(nodes.first)
      #expect(root["parent"] == nil)
      #expect(root.at("write.document") == .string("conversations/c/messages/m"))
      #expect(root.at("write.author") == .string("unauthenticated"))
      #expect(root.at("write.before") == nil && root.at("write.after.fields.text") != nil)
      let functions = nodes.filter { $0["parent"] == root["id"] }
        .compactMap { $0.at("delivery.function")?.string }
      #expect(functions.sorted() == ["analyzeMessage", "sendNotification", "translateMessage"])

      let attempt = try #require(nodes.first { $0["parent"] == .string("delivery-\(id)") })
      #expect(attempt.at("attempt.exitCode") == .integer(0))
      #expect(attempt.at("attempt.logs")?.array?.isEmpty == false)
      let effects = nodes.filter { $0["parent"] == attempt["id"] }
      // Either function may have requested the translation: the one that ran first did.
      let call = try #require(
        nodes.first { $0.at("provider.provider") == .string("translation") }?["provider"]
      )
      #expect(call["status"] == .integer(200))
      #expect(call.at("charge.characters") == .integer(28))
      #expect(call.at("charge.costMicros") == .integer(560))
      #expect(call["request"]?["q"] != nil && call["response"]?["data"] != nil)
      let write = try #require(
        effects.first { $0.at("write.document") == root.at("write.document") }
      )
      #expect(write.at("write.fields")?.array?.contains(.string("translations")) == true)
      #expect(write.at("write.after.fields.translations.mapValue.fields.it") != nil)
      #expect(write.at("write.authorName") == .string("translateMessage"))
      #expect(nodes.contains { $0.at("provider.provider") == .string("fcm") })

      // The event's ID leads to the same trace.
      let event = try #require(delivery["eventId"]?.string)
      #expect(try await trace(event, emulator) == nodes)
      // The trace contains no API key, no access token, and no signed request for one.
      let text = nodes.map { "\($0)" }.joined()
      #expect(!text.contains("emulator-translation-key") && !text.contains("access_token"))
      let unknown = try await emulator.request("GET", "ui", "/api/trace/nobody")
      #expect((unknown.status, unknown.code) == (404, "NOT_FOUND"))
    }
  }

  @Test func `a dead letter shows its reason, and is delivered again when it is replayed`()
    async throws
  {
    try await withEmulator { emulator in
      let fault = #"{"provider":"translation","kind":"status","status":403,"times":10}"#
      _ = try await emulator.request("POST", "functions", "/providers/faults", json: fault)
      try await writeMessage(emulator)
      let dead = try await delivery(of: "translateMessage", emulator)
      #expect(dead["state"] == .string("deadLettered"))
      let id = try #require(dead["id"]?.string)
      let nodes = try await trace(id, emulator)
      let attempt = try #require(nodes.first { $0["parent"] == .string("delivery-\(id)") })
      #expect(attempt.at("attempt.exitCode") == dead["exitCode"])
      #expect(attempt.at("attempt.error.code") == dead.at("error.code"))
      let refusals = nodes.filter { $0["parent"] == attempt["id"] }
        .compactMap { $0.at("provider.status") }
      #expect(refusals.contains(.integer(403)))

      _ = try await emulator.request("DELETE", "functions", "/providers/faults")
      let answer = try await emulator.request("POST", "ui", "/api/events/\(id)/replay")
      #expect(answer.status == 200 && answer.json["eventId"] == dead["eventId"])
      let again = try #require(answer.json["id"]?.string)
      #expect(again != id)
      try await emulator.quiet()
      let both = try await get("/api/events/\(id)", emulator)["deliveries"]?.array ?? []
      let states = Dictionary(
        uniqueKeysWithValues: both.map { ($0["id"]?.string ?? "", $0["state"]?.string) }
      )
      #expect(states[id] == "deadLettered" && states[again] == "succeeded")
      let unknown = try await emulator.request("POST", "ui", "/api/events/nobody/replay")
      #expect((unknown.status, unknown.code) == (404, "NOT_FOUND"))
    }
  }

  @Test func `a call has its trace: the caller, the provider requests and the answer`() async throws
  {
    try await withEmulator { emulator in
      try await writeMessage(emulator)
      _ = try await emulator.request(
        "POST",
        "functions",
        "/translateMessage",
        json: #"{"text":"See you soon!","sourceLang":"en","targetLang":"de"}"#
      )
      let page = try await get("/api/invocations?function=translateMessage&limit=1", emulator)
      let call = try #require(page.at("invocations.0"))
      #expect(call["eventId"] == nil && call["state"] == .string("succeeded"))
      let nodes = try await trace(try #require(call["id"]?.string), emulator)
      #expect(nodes.first?.at("call.event.data.text") == .string("See you soon!"))
      #expect(nodes.first?.at("call.report.output.status") == .string("ok"))
      #expect(nodes.contains { $0["parent"] == nodes.first?["id"] && $0["provider"] != nil })
    }
  }

  @Test func `invocations are found by state, function, document and text, page by page`()
    async throws
  {
    try await withEmulator { emulator in
      try await writeMessage(emulator)
      func functions(_ query: String) async throws -> [String] {
        let page = try await get("/api/invocations?\(query)", emulator)
        return (page["invocations"]?.array ?? []).compactMap { $0["function"]?.string }
      }
      let all = try await functions("document=messages/m")
      #expect(all.sorted() == ["analyzeMessage", "sendNotification", "translateMessage"])
      #expect(try await functions("text=SO%20MUCH") == all)
      #expect(try await functions("text=nobody%20said%20that") == [])
      #expect(try await functions("state=deadLettered") == [])
      // The writes of the users and their devices trigger sendNotification, too.
      let notifications = try await functions("function=sendNotification")
      #expect(notifications.count > 1 && Set(notifications) == ["sendNotification"])
      #expect(
        try await functions("function=sendNotification&document=messages/m") == ["sendNotification"]
      )

      var found: [String] = []
      var query = "document=messages/m&limit=1"
      while true {
        let page = try await get("/api/invocations?\(query)", emulator)
        let one = try #require(page["invocations"]?.array?.first)
        found.append(try #require(one["function"]?.string))
        query = "document=messages/m&limit=1&before=\(one["id"]?.string ?? "")"
        if page["hasMore"] == .boolean(false) { break }
      }
      #expect(found == all)
      for query in ["state=broken", "limit=many", "limit=1001"] {
        let answer = try await emulator.request("GET", "ui", "/api/invocations?\(query)")
        #expect((answer.status, answer.code) == (400, "INVALID_ARGUMENT"))
      }
      let gone = try await emulator.request("GET", "ui", "/api/invocations?before=nobody")
      #expect((gone.status, gone.code) == (404, "NOT_FOUND"))
    }
  }

  @Test func `an invocation becomes a fixture while recording is on`() async throws {
    try await withEmulator { emulator in
      try await writeMessage(emulator)
      let id = try #require(try await delivery(of: "analyzeMessage", emulator)["id"]?.string)
      let refused = try await emulator.request("GET", "ui", "/api/events/\(id)/fixture")
      #expect((refused.status, refused.code) == (400, "FAILED_PRECONDITION"))
      #expect(refused.json.at("error.message")?.string?.contains("PUT /api/recording") == true)

      #expect(try await get("/api/recording", emulator)["on"] == .boolean(false))
      let on = try await emulator.request("PUT", "ui", "/api/recording", json: #"{"on":true}"#)
      #expect(on.json["on"] == .boolean(true))
      let replayed = try await emulator.request("POST", "ui", "/api/events/\(id)/replay")
      try await emulator.quiet()
      let again = try #require(replayed.json["id"]?.string)
      let fixture = try await get("/api/events/\(again)/fixture", emulator)
      #expect(fixture["function"] == .string("analyzeMessage"))
      #expect("\(fixture)".contains("Kowalski"))
      #expect(try await get("/api/events/\(again)/fixture?raw=true", emulator) == fixture)
      let unknown = try await emulator.request("GET", "ui", "/api/events/nobody/fixture")
      #expect((unknown.status, unknown.code) == (404, "NOT_FOUND"))
    }
  }
}
