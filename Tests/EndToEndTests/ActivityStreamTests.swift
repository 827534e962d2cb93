import Core
import TestKit
import Testing

/// Events that the UI's port streams to a page.
@Suite(.timeLimit(.minutes(10)))
struct ActivityStreamTests {
  @Test func `a page receives deliveries, logs and pushes if it subscribes to them`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(
        """
        {"users/sarah": {"primaryLanguage": "en"},
         "users/marco": {"primaryLanguage": "it"},
         "users/marco/devices/d": {"fcmToken": "marco-phone"},
         "conversations/c": {"type": "one-on-one", "participants": ["sarah", "marco"]}}
        """
      )
      try await emulator.quiet()
      let stream = try await EventStreamClient(emulator)
      let topics = #"["deliveries","logs","pushes"]"#
      #expect(try await stream.send("PUT", "topics", topics).status == 200)
      try await emulator.write(
        #"{"conversations/c/messages/m":{"senderId":"sarah","text":"Thank you!","language":"en","#
          + #""readBy":[],"timestamp":{"timestampValue":"2025-10-21T10:00:00Z"}}}"#
      )
      var ended: Set<String> = []
      var pushes: [String] = []
      var logs = 0
      while ended.count < 3 || pushes.isEmpty || logs == 0 {
        let activity = try #require(await stream.next("activity"))
        for delivery in activity["deliveries"]?.array ?? [] {
          #expect(delivery["output"] == nil)
          let state = delivery["state"]?.string
          if state == "succeeded" || state == "skipped" {
            ended.insert(try #require(delivery["function"]?.string))
          }
        }
        pushes += (activity["pushes"]?.array ?? []).compactMap { $0["token"]?.string }
        logs += activity["logs"]?.array?.count ?? 0
      }
      #expect(ended == ["analyzeMessage", "sendNotification", "translateMessage"])
      #expect(pushes == ["marco-phone"])
    }
  }

  @Test func `an unknown stream and an invalid request are refused`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let stream = try await EventStreamClient(emulator)
      for body in [#"["weather"]"#, "{}"] {
        let answer = try await stream.send("PUT", "topics", body)
        #expect((answer.status, answer.code) == (400, "INVALID_ARGUMENT"))
      }
      let gone = try await emulator.request("PUT", "ui", "/api/stream/x/topics", json: "[]")
      #expect((gone.status, gone.code) == (404, "NOT_FOUND"))
    }
  }

  @Test func `the number of streams is limited`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      var streams: [EventStreamClient] = []
      for _ in 0..<64 { streams.append(try await EventStreamClient(emulator)) }
      let answer = try await emulator.request("GET", "ui", "/api/stream")
      #expect((answer.status, answer.code) == (429, "RESOURCE_EXHAUSTED"))
      streams = []
    }
  }
}
