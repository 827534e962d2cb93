import Core
import HTTPClient
import TestKit
import Testing

/// A message's path through all functions to its translations and pushes.
@Suite(.timeLimit(.minutes(10)))
struct ConversationTests {
  private let group = """
    {
      "users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
      "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
      "users/gianna": {"displayName": "Gianna", "primaryLanguage": "it"},
      "users/lea": {"displayName": "Léa", "primaryLanguage": "fr"},
      "users/jonas": {"displayName": "Jonas", "primaryLanguage": "de"},
      "users/sarah/devices/d": {"fcmToken": "sarah-phone"},
      "users/marco/devices/d": {"fcmToken": "marco-phone"},
      "users/gianna/devices/d": {"fcmToken": "gianna-phone"},
      "users/lea/devices/d": {"fcmToken": "lea-phone"},
      "users/jonas/devices/d": {"fcmToken": "jonas-phone"},
      "conversations/trip": {
        "type": "group", "name": "Trip to Rome",
        "participants": ["sarah", "marco", "gianna", "lea", "jonas"]
      }
    }
    """

  private func message(_ text: String) -> String {
    #"{"senderId":"sarah","text":"\#(text)","language":"en","status":"sent","readBy":[],"#
      + #""timestamp":{"timestampValue":"2025-10-21T10:00:00Z"}}"#
  }

  private let path = "conversations/trip/messages/m1"

  @Test func `a message to a group reaches each reader in their language`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(group)
      try await emulator.write(#"{"\#(path)":\#(message("Thank you so much!"))}"#)
      try await emulator.quiet()

      let fields = try #require(try await emulator.fields(of: path))
      #expect(
        fields["translations"]
          == (try json(#"{"de":"Vielen Dank!","fr":"Merci beaucoup !","it":"Grazie mille!"}"#))
      )
      #expect(fields.at("translationMeta.it.engine") == .string("phrasebook"))
      #expect(fields["text"] == .string("Thank you so much!"))

      let pushes = try await emulator.pushes()
      let bodies = Dictionary(
        pushes.map { ($0["token"]?.string, $0.at("message.notification.body")?.string) }
      ) { first, _ in first }
      #expect(
        bodies == [
          "marco-phone": "Sarah: Grazie mille!", "gianna-phone": "Sarah: Grazie mille!",
          "lea-phone": "Sarah: Merci beaucoup !", "jonas-phone": "Sarah: Vielen Dank!",
        ]
      )
      #expect(pushes.count == 4, "each recipient gets one push, and the sender gets none")
      for push in pushes { try checkPayload(push["message"] ?? .null) }

      let deliveries = try await emulator.chatDeliveries()
      #expect(deliveries.count == 3, "writes of functions cause no delivery")
      for delivery in deliveries {
        // The text needs no explanation, so analyzeMessage skips it.
        let isOrdinary = delivery["function"] == .string("analyzeMessage")
        #expect(delivery["state"] == .string(isOrdinary ? "skipped" : "succeeded"))
        try Schema.result.check(delivery["output"] ?? .null)
      }
    }
  }

  /// Checks that the payload follows FCM's rules.
  ///
  /// `notification` has no sound, `data` contains only strings, and `aps` has the badge and the
  /// sound.
  private func checkPayload(_ message: JSONValue) throws {
    #expect(message["notification"]?.object?.keys.sorted() == ["body", "title"])
    #expect(
      message["data"]
        == (try json(#"{"conversationId":"trip","messageId":"m1","type":"newMessage"}"#))
    )
    #expect(message.at("apns.payload.aps.badge") == .integer(1))
    #expect(message.at("apns.payload.aps.sound") == .string("default"))
    #expect(message.at("android.notification.sound") == .string("default"))
  }

  @Test func `a phrase that is in no phrasebook comes back marked`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(group)
      try await emulator.write(#"{"\#(path)":\#(message("The docks are closed."))}"#)
      try await emulator.quiet()
      let fields = try #require(try await emulator.fields(of: path))
      #expect(fields.at("translations.it") == .string("⟦it⟧ The docks are closed."))
      #expect(fields.at("translationMeta.it.engine") == .string("pseudo"))
    }
  }

  @Test func `an event delivered twice leaves equal documents and adds no push`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      try await emulator.write(group)
      try await emulator.write(#"{"\#(path)":\#(message("Thank you so much!"))}"#)
      _ = try await emulator.request("PUT", "hub", "/functions/enableBackgroundTriggers")
      let event = try await runProgram(
        "emulator",
        ["generate-event", "created", path, "--project", emulator.project]
      ).text

      let first = try await post(event, to: emulator)
      let before = try await everything(in: emulator)
      let pushes = try await emulator.pushes()
      #expect(pushes.count == 4)
      #expect(
        first.compactMap { $0["state"]?.string }.sorted() == ["skipped", "succeeded", "succeeded"]
      )

      let second = try await post(event, to: emulator)
      #expect(second.map { $0["state"]?.string } == ["skipped", "skipped", "skipped"])
      for function in ["translateMessage", "sendNotification", "analyzeMessage"] {
        let run = try await runFunction(
          function,
          input: event,
          environment: emulator.environment()
        )
        #expect(run.status == "skipped")
        #expect(run.writes == [])
      }
      #expect(try await everything(in: emulator) == before)
      #expect(try await emulator.pushes() == pushes)
    }
  }

  /// Posts an event as Google Cloud would deliver it, and waits until its deliveries have ended.
  private func post(_ event: String, to emulator: EmulatorProcess) async throws -> [JSONValue] {
    let answer = try await emulator.request(
      "POST",
      "functions",
      "/events?wait=true",
      headers: [HTTPHeader("Content-Type", "application/cloudevents+json")],
      body: Data(event.utf8)
    )
    #expect(answer.status == 200, Comment(rawValue: answer.text))
    return (answer.json["deliveries"]?.array ?? [])
      .sorted { ($0["function"]?.string ?? "") < ($1["function"]?.string ?? "") }
  }

  private func everything(in emulator: EmulatorProcess) async throws -> [[JSONValue]] {
    var all: [[JSONValue]] = []
    for collection in [
      "users", "conversations", "conversations/trip/messages", "translations", "functionEvents",
      "users/marco/inbox", "users/marco/devices",
    ] { all.append(try await emulator.collection(collection)) }
    #expect(!all.contains([]), "an empty collection can't show a difference")
    return all
  }

  @Test func `an unregistered device is removed`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(group)
      _ = try await emulator.request(
        "DELETE",
        "functions",
        "/providers/fcm/devices/marco-phone"
      )
      try await emulator.write(#"{"\#(path)":\#(message("Thank you so much!"))}"#)
      try await emulator.quiet()
      #expect(try await emulator.fields(of: "users/marco/devices/d") == nil)
      #expect(try await emulator.fields(of: "users/lea/devices/d") != nil)
      #expect(try await emulator.pushes().count == 3)
    }
  }

  @Test func `a written language and a deleted message trigger no chain`()
    async throws
  {
    try await withEmulator { emulator in
      try await emulator.write(group)
      try await emulator.write(
        #"{"\#(path)":{"senderId":"sarah","text":"Thank you so much!"}}"#
      )
      try await emulator.quiet()
      let fields = try await emulator.fields(of: path)
      #expect(fields?["language"] == .string("en"))
      #expect(fields?["languageSource"] == .string("detected"))
      #expect(try await emulator.chatDeliveries().count == 3)
      #expect(try await emulator.collection("translations").count == 3)

      let target = emulator.documents("/\(path)")
      #expect(try await emulator.request("DELETE", "firestore", target).status == 200)
      try await emulator.quiet()
      #expect(try await emulator.collection("translations") == [])
      let deliveries = try await emulator.chatDeliveries()
      #expect(deliveries.count == 6)
      #expect(
        Set(deliveries.suffix(3).compactMap { $0["function"]?.string })
          == ["analyzeMessage", "sendNotification", "translateMessage"]
      )
    }
  }

  @Test func `an edited text is translated again, and a receipt clears badges`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(group)
      try await emulator.write(#"{"\#(path)":\#(message("Thank you so much!"))}"#)
      try await emulator.quiet()
      let target = emulator.documents("/\(path)?updateMask.fieldPaths=")
      let receipt = try await emulator.request(
        "PATCH",
        "firestore",
        target + "readBy",
        json: #"{"fields":{"readBy":{"arrayValue":{"values":[{"stringValue":"marco"}]}}}}"#
      )
      #expect(receipt.status == 200)
      try await emulator.quiet()
      let woken = try await emulator.chatDeliveries().dropFirst(3)
      #expect(woken.map { $0["function"] } == [.string("sendNotification")])
      let cleared = try #require(try await emulator.pushes().last)
      #expect(cleared["token"] == .string("marco-phone"))
      #expect(cleared.at("message.apns.payload.aps.badge") == .integer(0))

      let edit = try await emulator.request(
        "PATCH",
        "firestore",
        target + "text",
        json: #"{"fields":{"text":{"stringValue":"Happy birthday!"}}}"#
      )
      #expect(edit.status == 200)
      try await emulator.quiet()
      let deliveries = try await emulator.chatDeliveries()
      #expect(deliveries.count == 7)
      #expect(
        Set(deliveries.suffix(3).compactMap { $0["function"]?.string })
          == ["analyzeMessage", "sendNotification", "translateMessage"]
      )
      #expect(
        try await emulator.fields(of: "conversations/trip")?["lastMessage"]
          == .string("Happy birthday!")
      )
      #expect(try await emulator.pushes().count == 5, "an edit sends no push")
      let fields = try await emulator.fields(of: path)
      #expect(fields?.at("translations.it") == .string("Buon compleanno!"))
      #expect(fields?["readBy"] == .array([.string("marco")]))
    }
  }
}

extension EmulatorProcess {
  /// Returns the deliveries of events of conversations and messages, without those of the users and
  /// devices that the test registers, and without the copies of the members.
  func chatDeliveries() async throws(StatusError) -> [JSONValue] {
    try await deliveries().filter { delivery in
      delivery["document"]?.string?.hasPrefix("conversations/") == true
        && delivery["function"] != .string("mirrorMembership")
    }
  }
}
