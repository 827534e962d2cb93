import Core
import HTTPClient
import TestKit
import Testing

/// A function in shell, whose ten lines implement the contract.
private let script = #"""
  #!/bin/sh
  if [ "$1" = --describe ]; then
    echo '{"contract":1,"name":"shout","callable":true,"triggers":[
      {"eventType":"google.cloud.firestore.document.v1.created","document":"notes/{noteId}"}]}'
    exit
  fi
  read -r event
  echo "heard $INVOCATION_ID attempt $INVOCATION_ATTEMPT" >&2
  echo '{"contract":1,"function":"shout","status":"ok","exitCode":0,"result":{"said":"HEY"}}'
  """#

@Suite(.timeLimit(.minutes(10)))
struct ScriptFunctionTests {
  @Test func `a ten-line script in the folder is a function`() async throws {
    try await withTemporaryFolder { folder in
      #expect(script.split(separator: "\n").count <= 10)
      try await makeFile("\(folder)/shout", script, isExecutable: true)
      try await makeFile("\(folder)/README", "not a function")
      let manifest = try await runProgram("\(folder)/shout", ["--describe"])
      try Schema.manifest.check(json(manifest.text))

      try await withEmulator(functions: folder) { emulator in
        let functions = try await emulator.request("GET", "ui", "/api/functions").json
        #expect(functions.array?.map { $0["name"]?.string } == ["shout"])

        try await emulator.write(#"{"notes/n1":{"text":"hey"},"letters/l1":{"text":"hey"}}"#)
        try await emulator.quiet()
        let deliveries = try await emulator.deliveries()
        #expect(deliveries.count == 1)
        let delivery = try #require(deliveries.first)
        #expect(delivery["state"] == .string("succeeded"))
        #expect(delivery["document"] == .string("notes/n1"))
        #expect(delivery.at("output.result.said") == .string("HEY"))

        let eventID = try #require(delivery["eventId"]?.string)
        let event = try await emulator.request("GET", "ui", "/api/events/\(eventID)").json
        try Schema.event.check(event["event"] ?? .null)
        let id = try #require(delivery["id"]?.string)
        #expect(event.at("logs.0.message") == .string("heard \(id) attempt 1"))

        let called = try await emulator.request(
          "POST",
          "functions",
          "/p/us-central1/shout",
          json: #"{"data":"hey"}"#
        )
        #expect(called.status == 200)
        #expect(called.json == (try json(#"{"result":{"said":"HEY"}}"#)))
      }
    }
  }

  @Test func `an event names the user who made the change, if the trigger asks for that`()
    async throws
  {
    let script = #"""
      #!/bin/sh
      if [ "$1" = --describe ]; then
        echo '{"contract":1,"name":"who","triggers":[{"document":"notes/{noteId}",
          "eventType":"google.cloud.firestore.document.v1.written.withAuthContext"}]}'
        exit
      fi
      printf '{"status":"ok","result":{"event":%s}}' "$(cat)"
      """#
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/who", script, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        let arguments = ["token", "--uid", "sarah", "--project", emulator.project]
        let token = try await runProgram("emulator", arguments).text
        for authorization in ["Bearer \(token.trimmingLineFeed)", "Bearer owner", ""] {
          try await emulator.write(
            .object(["notes/n": .object(["by": .string(authorization)])]),
            headers: authorization.isEmpty ? [] : [HTTPHeader("Authorization", authorization)]
          )
          try await emulator.quiet()
        }
        let events = try await emulator.deliveries().compactMap { $0.at("output.result.event") }
        for event in events { try Schema.event.check(event) }
        #expect(
          events.map { $0["authtype"]?.string } == ["app_user", "system", "unauthenticated"]
        )
        #expect(events.map { $0["authid"]?.string } == ["sarah", nil, nil])
        #expect(
          Set(events.map { $0["type"]?.string })
            == ["google.cloud.firestore.document.v1.written.withAuthContext"]
        )
      }
    }
  }
}
