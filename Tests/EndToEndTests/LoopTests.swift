import Core
import TestKit
import Testing

/// A function that writes the document that triggers it, without sending `TRACEPARENT` with the
/// write.
private let spin = #"""
  #!/bin/sh
  if [ "$1" = --describe ]; then
    echo '{"contract":1,"name":"spin","triggers":[
      {"eventType":"google.cloud.firestore.document.v1.written","document":"notes/{id}"}]}'
    exit
  fi
  cat > /dev/null
  curl -sf -X PATCH -d "{\"fields\":{\"by\":{\"stringValue\":\"$INVOCATION_ID\"}}}" -o /dev/null \
    "http://$FIRESTORE_EMULATOR_HOST/v1/projects/$GOOGLE_CLOUD_PROJECT/databases/(default)/documents/notes/n"
  echo '{"status":"ok","exitCode":0}'
  """#

/// A function that writes a document for each note, also without `TRACEPARENT`. The document
/// triggers no function.
private let answer = spin.replacing("\"spin\"", with: "\"answer\"")
  .replacing("documents/notes/n", with: "documents/answers/$INVOCATION_ID")

@Suite(.timeLimit(.minutes(10)))
struct LoopTests {
  @Test func `a script that triggers itself ends as a dead letter with advice`()
    async throws
  {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/spin", spin, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        try await emulator.write(#"{"notes/n":{"by":"somebody"}}"#)
        try await emulator.quiet()
        let deliveries = try await emulator.deliveries()
        // At least one delivery for the client's write, 16 for the chain, and one that is refused.
        // Runs of the function may overlap. A write is then attributed to the earlier run, so the
        // loop is detected later.
        #expect((18...100).contains(deliveries.count))
        let dead = deliveries.filter { $0["state"] == .string("deadLettered") }
        #expect(dead.count == 1)
        let message = try #require(dead.first?.at("error.message")?.string)
        #expect(message.contains("spin was triggered by a chain of more than 16 functions"))
        #expect(message.contains("TRACEPARENT"))
        let why = try await emulator.request("GET", "ui", "/api/why?document=notes/n").json
        #expect(why["sentence"]?.string?.contains("by spin, ") == true)
      }
    }
  }

  @Test func `a client that writes one document again and again is no loop`() async throws {
    try await withTemporaryFolder { folder in
      try await makeFile("\(folder)/answer", answer, isExecutable: true)
      try await withEmulator(functions: folder) { emulator in
        for number in 1...100 {
          try await emulator.write(#"{"notes/n":{"by":"client \#(number)"}}"#)
        }
        try await emulator.quiet()
        let states = try await emulator.deliveries("?limit=1000").map { $0["state"]?.string }
        #expect(states.count == 100 && Set(states) == ["succeeded"])
      }
    }
  }
}
