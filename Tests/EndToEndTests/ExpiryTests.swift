import Core
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ExpiryTests {
  private let farewell = #"""
    #!/bin/sh
    if [ "$1" = --describe ]; then
      echo '{"contract":1,"name":"farewell","triggers":[
        {"eventType":"google.cloud.firestore.document.v1.deleted","document":"notes/{id}"}]}'
      exit
    fi
    cat > /dev/null
    echo '{"contract":1,"function":"farewell","status":"ok","exitCode":0,"result":{}}'
    """#

  private let indexes = #"""
    {"fieldOverrides": [
      {"collectionGroup": "notes", "fieldPath": "expiresAt", "ttl": true, "indexes": []}]}
    """#

  @Test func `an expired document is deleted, and the deletion triggers functions`() async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/functions/farewell", farewell, isExecutable: true)
      try await makeFile("\(folder)/indexes.json", indexes)
      try await withEmulator(
        "--indexes",
        "\(folder)/indexes.json",
        "--ttl-interval",
        "0.05",
        functions: "\(folder)/functions"
      ) { emulator in
        let stream = try await EventStreamClient(emulator)
        try await stream.send("PUT", "topics", #"["deliveries"]"#)
        try await emulator.write(
          #"{"notes/old":{"expiresAt":{"timestampValue":"2025-10-21T10:00:00Z"}},"#
            + #""notes/young":{"expiresAt":{"timestampValue":"2999-01-01T00:00:00Z"}}}"#
        )
        let succeeded = await stream.next("activity") { activity in
          (activity["deliveries"]?.array ?? []).contains { $0["state"] == .string("succeeded") }
        }
        #expect(succeeded != nil)
        #expect(try await emulator.fields(of: "notes/old") == nil)
        #expect(try await emulator.fields(of: "notes/young") != nil)
        let deliveries = try await emulator.request("GET", "ui", "/api/events").json.array
        #expect(deliveries?.map { $0["document"] } == [.string("notes/old")])
        let why = try await emulator.request("GET", "ui", "/api/why?document=notes/old")
        #expect(why.text.contains("by a TTL policy"))
      }
    }
  }
}
