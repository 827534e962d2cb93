import Core
import Cryptography
import FirestoreModel
import HTTPClient
import TestKit
import Testing

/// Events that the UI's port streams to a page.
@Suite(.timeLimit(.minutes(10)))
struct ActivityStreamTests {
  private func addTarget(
    _ id: Int,
    of emulator: EmulatorProcess,
    collection: String = "users"
  ) -> String {
    #"{"database":"projects/\#(emulator.project)/databases/(default)","addTarget":{"targetId":\#(id),"#
      + #""query":{"parent":"projects/\#(emulator.project)/databases/(default)/documents","#
      + #""structuredQuery":{"from":[{"collectionId":"\#(collection)"}]}}}}"#
  }

  @Test func `a page receives documents as a listener does`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      try await emulator.write(#"{"users/sarah":{"primaryLanguage":"en"}}"#)
      let stream = try await EventStreamClient(emulator)
      #expect(try await stream.send("POST", "listen", addTarget(7, of: emulator)).status == 200)
      var responses: [JSONValue] = []
      while !responses.contains(where: {
        $0.at("targetChange.targetChangeType") == .string("CURRENT")
      }) {
        responses += try #require(await stream.next("listen"))["responses"]?.array ?? []
      }
      #expect(responses.first?.at("targetChange.targetIds.0") == .integer(7))
      let names = responses.compactMap { $0.at("documentChange.document.name")?.string }
      #expect(names == [emulator.name("users/sarah")])

      try await emulator.write(#"{"users/marco":{"primaryLanguage":"it"}}"#)
      let change = try #require(
        await stream.next("listen") { $0.at("responses.0.documentChange.document") != nil }
      )
      let language = "responses.0.documentChange.document.fields.primaryLanguage.stringValue"
      #expect(change.at(language) == .string("it"))
      try await stream.send("POST", "listen", #"{"removeTarget":7}"#)
      let end = await stream.next("listen") {
        $0.at("responses.0.targetChange.targetChangeType") == .string("REMOVE")
      }
      #expect(end?.at("responses.0.targetChange.targetIds.0") == .integer(7))
    }
  }

  @Test func `a page listens as each of its users`() async throws {
    try await withTemporaryFolder { folder in
      let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{uid} { allow list: if request.auth.uid == 'sarah'; }
          }
        }
        """
      let file = "\(folder)/users.rules"
      try await makeFile(file, rules)
      try await withEmulator("--no-triggers", "--rules", file) { emulator in
        let stream = try await EventStreamClient(emulator)
        for (session, uid) in [(1, "sarah"), (2, "marco")] {
          let token = try UnsignedToken.encode(
            uid: uid,
            project: emulator.project,
            now: Timestamp.now.seconds
          )
          let path = "listen?session=\(session)"
          let target = addTarget(10 + session, of: emulator)
          #expect(try await stream.send("POST", path, target, token: token).status == 200)
          let end = session == 1 ? "CURRENT" : "REMOVE"
          let answer = await stream.next("listen") {
            $0["responses"]?.array?.contains {
              $0.at("targetChange.targetChangeType") == .string(end)
            } == true
          }
          #expect(answer?["session"] == .integer(Int64(session)))
        }
        for (path, token, status) in [
          ("listen?session=3", "invalid", 400), ("listen?session=x", nil, 400),
        ] {
          let target = addTarget(1, of: emulator)
          #expect(try await stream.send("POST", path, target, token: token).status == status)
        }
      }
    }
  }

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
      for (method, path, body) in [
        ("PUT", "topics", #"["weather"]"#), ("PUT", "topics", "{}"), ("POST", "listen", "{"),
        ("POST", "listen", #"{"addTarget":{"colour":1}}"#),
      ] {
        let answer = try await stream.send(method, path, body)
        #expect((answer.status, answer.code) == (400, "INVALID_ARGUMENT"))
      }
      for path in ["topics", "listen", "weather"] {
        let method = path == "topics" ? "PUT" : "POST"
        let answer = try await emulator.request(method, "ui", "/api/stream/x/\(path)", json: "[]")
        #expect([400, 404].contains(answer.status))
      }
      let gone = try await emulator.request("PUT", "ui", "/api/stream/x/topics", json: "[]")
      #expect((gone.status, gone.code) == (404, "NOT_FOUND"))

      // A request that breaks the protocol ends the stream, with the reason in its last event.
      try await stream.send("POST", "listen", #"{"removeTarget":1}"#)
      let end = try #require(await stream.next("end"))
      #expect(end.at("error.status") == .string("INVALID_ARGUMENT"))
      #expect(await stream.next("end") == nil)
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
