import Core
import HTTPClient
import TestKit
import Testing

/// Failing providers: the logs, which must contain no text of users or providers, and random
/// failures with `--chaos`.
@Suite(.timeLimit(.minutes(10)))
struct ProviderLogTests {
  private static let markers = [
    "PLANTED", "emulator-translation-key", "emulator-openai-key", "emulator-anthropic-key",
    "Bearer ", "PRIVATE KEY", "access_token",
  ]

  private static let people = """
    {"users/sarah": {"displayName": "PLANTED-name", "primaryLanguage": "en"},
     "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
     "users/marco/devices/d": {"fcmToken": "PLANTED-token"},
     "conversations/c1": {"participants": ["sarah", "marco"], "name": "PLANTED-title"}}
    """

  /// Writes a message and a device. A fault may have made the function delete the device's token.
  private func write(_ number: Int, at emulator: EmulatorProcess) async throws {
    try await emulator.write(
      """
      {"users/marco/devices/d": {"fcmToken": "PLANTED-token"},
       "conversations/c1/messages/m\(number)": {"senderId": "sarah", "language": "en",
       "text": "PLANTED-text \(number): break a leg!",
       "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
      """
    )
  }

  /// The request bodies for all faults, with shorter delays. Anthropic's faults and the largest
  /// response are left out.
  private static var faults: [String] {
    let kinds = Set(
      ProviderFault.table.filter { $0.provider != "anthropic" && !$0.title.contains("mega") }
        .map { row in
          let members = row.members.replacing("30000", with: "50").replacing("1000", with: "5")
          return #"{"provider":"\#(row.provider)",\#(members)}"#
        }
    )
    return kinds.sorted()
  }

  @Test func `no log contains a text, a translation, a token, a key or a question`() async throws {
    try await withEmulator { emulator in
      try await emulator.write(Self.people)
      #expect(Self.faults.count > 40)
      for (number, fault) in ([""] + Self.faults).enumerated() {
        if !fault.isEmpty {
          let answer = try await emulator.request(
            "POST",
            "functions",
            "/providers/faults",
            json: fault
          )
          #expect(answer.status == 200, Comment(rawValue: answer.text))
        }
        try await write(number, at: emulator)
      }
      try await emulator.quiet()
      // After several failures, the functions pause their requests to the provider. So more
      // messages are needed until all faults are used.
      var number = 1_000
      while try await hasFaults(emulator), number < 1_200 {
        try await write(number, at: emulator)
        try await emulator.quiet()
        number += 1
      }
      #expect(try await !hasFaults(emulator))
      let arguments = ["token", "--uid", "marco", "--project", emulator.project]
      let token = try await runProgram("emulator", arguments).text.trimmingLineFeed
      for (function, data) in [
        ("askAI", #"{"conversationId":"c1","query":"PLANTED-question?"}"#),
        ("smartReplies", #"{"conversationId":"c1"}"#),
      ] {
        _ = try await emulator.request(
          "POST",
          "functions",
          "/\(function)",
          headers: [HTTPHeader("Authorization", "Bearer \(token)")],
          json: data
        )
      }
      let logs = try await emulator.request("GET", "ui", "/api/logs").text
      let errors = try await emulator.endAndReadErrors()
      #expect(logs.contains("translated") && logs.contains("notified"))
      for text in [logs, errors] {
        for marker in Self.markers {
          #expect(!text.contains(marker), "\(marker): \(text.around(marker))")
        }
      }
    }
  }

  /// Returns a Boolean value that indicates whether a requested fault hasn't been played yet.
  ///
  /// Faults of the token endpoint don't count, because functions request a token only once.
  private func hasFaults(_ emulator: EmulatorProcess) async throws -> Bool {
    let left = try await emulator.request("GET", "functions", "/providers/faults").json
    return (left["faults"]?.array ?? []).contains { $0["provider"] != .string("oauth") }
  }

  // MARK: Chaos

  /// Runs a conversation with `--chaos`.
  ///
  /// - Returns: the numbers of translation requests by status.
  private func conversation(under chaos: String) async throws -> JSONValue {
    var usage = JSONValue.null
    try await withEmulator(
      "--chaos",
      chaos,
      "--retry",
      "production",
      "--time-scale",
      "1000"
    ) { emulator in
      try await emulator.write(Self.people)
      for number in 1...12 { try await write(number, at: emulator) }
      try await emulator.quiet()
      #expect(try await emulator.deliveries("?state=deadLettered").isEmpty)
      for number in 1...12 {
        let message = try await emulator.fields(of: "conversations/c1/messages/m\(number)")
        #expect(message?.at("translations.it")?.string?.hasPrefix("⟦it⟧") == true)
      }
      let collapseIDs = try await emulator.pushes().compactMap {
        $0.at("message.apns.headers.apns-collapse-id")?.string
      }
      #expect(Set(collapseIDs) == Set((1...12).map { "m\($0)" }))
      let answer = try await emulator.request("GET", "functions", "/providers/usage").json
      usage = answer.at("requests.translation") ?? .null
    }
    return usage
  }

  @Test func `under chaos at the providers everything arrives in the end, the same way each time`()
    async throws
  {
    let first = try await conversation(under: "seed=7,provider=0.3")
    #expect((first.object ?? [:]).count > 2, Comment(rawValue: first.text))
    #expect(try await conversation(under: "seed=7,provider=0.3") == first)
    #expect(try await conversation(under: "seed=7") == .object(["200": .integer(12)]))
  }
}

extension String {
  /// Returns the text around the first occurrence of a word, for a failure message.
  fileprivate func around(_ word: String) -> Substring {
    guard let range = firstRange(of: word) else { return "" }
    let start = index(range.lowerBound, offsetBy: -200, limitedBy: startIndex) ?? startIndex
    return self[start...].prefix(500)
  }
}
