import Core
import Synchronization
import TestKit
import Testing

/// A slow provider, and a provider outage. `make bench` measures the same over minutes.
@Suite(.timeLimit(.minutes(10)))
struct OutageTests {
  private static let languages = ["it", "es", "fr", "de", "pt", "nl", "pl"]

  /// Writes a group that has one reader for each language, and no messages.
  private static func begin(
    _ emulator: EmulatorProcess,
    _ languages: [String]
  ) async throws {
    var documents: JSONObject = [
      "users/sarah": try json(#"{"primaryLanguage":"en"}"#),
      "conversations/c1": .object([
        "participants": .array((["sarah"] + languages).map(JSONValue.string))
      ]),
    ]
    for language in languages {
      documents["users/\(language)"] = .object(["primaryLanguage": .string(language)])
    }
    try await emulator.write(.object(documents))
  }

  private static func say(_ emulator: EmulatorProcess, _ number: Int) async throws {
    try await emulator.write(
      """
      {"conversations/c1/messages/m\(number)": {"senderId": "sarah", "language": "en",
        "text": "The kettle is \(String(repeating: "very ", count: number))blue.",
        "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
      """
    )
  }

  private static func languages(
    of number: Int,
    _ emulator: EmulatorProcess
  ) async throws -> [String] {
    let fields = try await emulator.fields(of: "conversations/c1/messages/m\(number)")
    return (fields?["translations"]?.object ?? [:]).keys.sorted().map(\.string)
  }

  /// The provider answers none of the twelve requests before all have arrived.
  ///
  /// About twelve requests wait at once if five messages a second arrive and an answer takes two
  /// seconds.
  @Test func `a dozen messages wait for a slow provider at once`() async throws {
    let crowd = 12
    let meeting = Meeting(of: crowd)
    let provider = try LoopbackServer { _, connection in
      meeting.join()
      return connection.answer(
        headers: ["Content-Type: application/json"],
        body: Data(#"{"data":{"translations":[{"translatedText":"Il bollitore è blu."}]}}"#.utf8)
      )
    }
    defer { provider.stop() }
    try await withTemporaryFolder { folder in
      try makeFunctionsFolder(folder, ["translateMessage"])
      try await withEmulator(
        "--provider",
        "translation=\(provider.url())",
        functions: folder
      ) { emulator in
        try await Self.begin(emulator, ["it"])
        for number in 1...crowd { try await Self.say(emulator, number) }
        try await emulator.quiet()
        for number in 1...crowd {
          #expect(try await Self.languages(of: number, emulator) == ["it"])
        }
        #expect(provider.requests.count == crowd)
      }
    }
  }

  @Test func `after an outage no message lacks a language`() async throws {
    try await withTemporaryFolder { folder in
      try makeFunctionsFolder(folder, ["translateMessage"])
      try await withEmulator(
        "--retry",
        "production",
        "--time-scale",
        "1000",
        functions: folder
      ) { emulator in
        try await Self.begin(emulator, Self.languages)
        _ = try await emulator.request(
          "POST",
          "functions",
          "/providers/faults",
          json: #"{"provider":"translation","kind":"status","status":503,"times":40}"#
        )
        for number in 1...6 { try await Self.say(emulator, number) }
        try await emulator.quiet()
        for number in 1...6 {
          #expect(try await Self.languages(of: number, emulator) == Self.languages.sorted())
        }
        #expect(try await emulator.deliveries("?state=deadLettered").isEmpty)
        let usage = try await emulator.request("GET", "functions", "/providers/usage").json
        #expect(usage.at("requests.translation.503") == .integer(40))
        // No text is paid for twice because of the outage.
        #expect(usage["translatedTexts"] == .integer(Int64(6 * Self.languages.count)))
      }
    }
  }
}
