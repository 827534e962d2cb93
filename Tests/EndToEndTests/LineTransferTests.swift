import Core
import HTTPClient
import TestKit
import Testing

/// The routes with which a page exports and imports all documents.
@Suite(.timeLimit(.minutes(10)))
struct LineTransferTests {
  @Test func `an import restores an export, and triggers functions only on request`()
    async throws
  {
    try await withEmulator { emulator in
      let message = #"{"text":"Ciao","senderId":"marco","timestamp":1}"#
      try await emulator.write(#"{"conversations/c/messages/m":\#(message)}"#)
      try await emulator.write(#"{"conversations/c":{"participants":["marco","sarah"]}}"#)
      try await emulator.quiet()
      let exported = try await emulator.request("GET", "ui", "/api/export")
      #expect(exported.status == 200)
      #expect(
        exported.headers.contains {
          $0.name.lowercased() == "content-disposition"
            && $0.value == #"attachment; filename="(default).ndjson""#
        }
      )
      let lines = exported.text.split(separator: "\n")
      #expect(lines.count > 1)

      try await clear(emulator)
      let known = try await emulator.deliveries().count
      let quietly = try await emulator.request("POST", "ui", "/api/import", body: exported.body)
      #expect(quietly.json == .object(["documents": .integer(Int64(lines.count))]))
      try await emulator.quiet()
      #expect(try await emulator.deliveries().count == known)
      #expect(try await emulator.request("GET", "ui", "/api/export").body == exported.body)

      try await clear(emulator)
      let loudly = try await emulator.request(
        "POST",
        "ui",
        "/api/import?triggers=true",
        body: exported.body
      )
      #expect(loudly.status == 200)
      try await emulator.quiet()
      #expect(try await emulator.deliveries().count > known)
    }
  }

  @Test func `another database has documents of its own`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      let line = Data(#"{"name":"c/a","fields":{"v":{"integerValue":"1"}}}"#.utf8)
      _ = try await emulator.request("POST", "ui", "/api/import?database=second", body: line)
      #expect(try await emulator.request("GET", "ui", "/api/export").text == "")
      let second = try await emulator.request("GET", "ui", "/api/export?database=second")
      #expect(second.text.hasPrefix(#"{"name":"c/a","fields":{"v":{"integerValue":"1"}}"#))
    }
  }

  @Test func `a line that can't be imported is named`() async throws {
    try await withEmulator("--no-triggers") { emulator in
      for (query, body, message) in [
        ("?line=41", "{\"name\":\"c/a\"}\n{\"name\":\"c\"}", "line 42 is refused: "),
        ("?line=0", "", "line must be a whole number of at least 1"),
        ("?triggers=yes", "", "triggers must be true or false"),
        ("?database=a/b", "", ""),
      ] {
        let answer = try await emulator.request(
          "POST",
          "ui",
          "/api/import\(query)",
          body: Data(body.utf8)
        )
        #expect(answer.status == 400)
        #expect(answer.message?.hasPrefix(message) == true)
      }
      #expect(try await emulator.request("GET", "ui", "/api/export").text == "")
    }
  }

  private func clear(_ emulator: EmulatorProcess) async throws {
    let answer = try await emulator.request(
      "DELETE",
      "firestore",
      "/emulator" + emulator.documents()
    )
    #expect(answer.status == 200)
  }
}
