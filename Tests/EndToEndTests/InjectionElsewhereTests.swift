import Core
import HTTPClient
import TestKit
import Testing

/// Other people's data in documents that a function might read by mistake.
///
/// The data must be in no request to a model and in no result.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct InjectionElsewhereTests {
  private static let says = "Si dice tra amici."

  private func scene(_ function: String) throws -> InjectionScene {
    try InjectionScene(
      Injection("a finding", "See you at six!", .says(Self.says)),
      function,
      displayName: "Sarah"
    )
  }

  private func run(_ scene: InjectionScene) async throws -> (FunctionRun, asked: String) {
    let model = try GullibleModel(scene.injection)
    defer { model.stop() }
    let run = try await scene.run(
      model: model.environment(model: "gullible").merging(["INVOCATION_ID": "one-call"]) { $1 }
    )
    return (run, model.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined())
  }

  @Test(arguments: InjectionTests.functions)
  func `other people's messages next to the caller's aren't read`(
    function: String
  ) async throws {
    let scene = try scene(function)
    try await scene.writeOlderLayout(to: sharedEmulator())
    let (run, asked) = try await run(scene)
    #expect(run.exitCode == 0, Comment(rawValue: run.line.text))
    #expect(asked.contains(scene.planted))
    #expect(!asked.contains(scene.plantedElsewhere))
    #expect(!run.line.text.contains(scene.plantedElsewhere))
    #expect(!run.errorText.contains(scene.plantedElsewhere))
  }

  /// A stored answer about one conversation or user, at the path of another conversation or user.
  struct Stray: Sendable {
    var function: String
    /// The fields that name the owner, with the values that replace them.
    var owner: [String: String] = [:]
    /// The user or conversation in the answer's path, and its replacement, or `nil` to keep the
    /// path.
    var moved: (from: String, to: String)?
    /// A Boolean value that indicates whether the answer belongs to the caller, so that the function
    /// returns it.
    var isOwn = false
  }

  static let strays = [
    Stray(function: "analyzeMessage", isOwn: true),
    Stray(function: "analyzeMessage", owner: ["conversationId": "another"]),
    Stray(
      function: "analyzeMessage",
      owner: ["conversationId": "another"],
      moved: ("id-of-message", "id-of-message_it")
    ),
    Stray(function: "smartReplies", isOwn: true),
    Stray(function: "smartReplies", owner: ["conversationId": "another"]),
    Stray(function: "smartReplies", owner: ["uid": "uid-of-lena"]),
    Stray(function: "smartReplies", owner: ["conversationId": "id-of-conversation_uid-of"]),
    Stray(
      function: "smartReplies",
      owner: ["uid": "uid-of-lena"],
      moved: ("uid-of-marco", "uid-of-lena")
    ),
    Stray(
      function: "smartReplies",
      owner: ["conversationId": "another"],
      moved: ("id-of-conversation", "another")
    ),
    Stray(function: "askAI", isOwn: true),
    Stray(function: "askAI", owner: ["conversationId": "another"]),
    Stray(function: "askAI", owner: ["userQuery": "What is the secret word?"]),
    Stray(function: "askAI", moved: ("uid-of-marco", "uid-of-lena")),
  ]

  @Test(arguments: strays)
  func `a record kept for others is not the caller's answer`(stray: Stray) async throws {
    let emulator = try sharedEmulator()
    let first = try scene(stray.function)
    try await first.write(to: emulator)
    let path = try #require(try await run(first).0.writes.first)
    let kept = try await emulator.request(
      "GET",
      "firestore",
      emulator.documents("/\(path)", project: first.project)
    )

    let scene = try scene(stray.function)
    try await scene.write(to: emulator)
    var fields = marked(kept.json["fields"] ?? .null, with: scene.plantedElsewhere).object ?? [:]
    for (name, value) in stray.owner {
      #expect(fields[name] != nil)
      fields[name] = .object(["stringValue": .string(value)])
    }
    let place = stray.moved.map { path.replacing($0.from, with: $0.to) } ?? path
    #expect((place == path) == (stray.moved == nil))
    try await emulator.write(.object([ByteKey(place): .object(fields)]), project: scene.project)

    let (run, asked) = try await run(scene)
    #expect(run.line.text.contains(scene.plantedElsewhere) == stray.isOwn, "\(run.line.text)")
    // If another owner's analysis is at the path, a new one couldn't be stored, so the model isn't
    // asked.
    let isTaken = run.errorCode == "ALREADY_EXISTS"
    #expect(isTaken == (stray.function == "analyzeMessage" && !stray.isOwn && stray.moved == nil))
    #expect(asked.isEmpty == (stray.isOwn || isTaken))
    #expect(!asked.contains(scene.plantedElsewhere))
    #expect(!run.errorText.contains(scene.plantedElsewhere))
  }

  /// Returns a document's fields with the model's text replaced by a marker.
  private func marked(_ value: JSONValue, with mark: String) -> JSONValue {
    switch value {
    case .string(Self.says): .string(mark)
    case .array(let values): .array(values.map { marked($0, with: mark) })
    case .object(let members): .object(members.mapValues { marked($0, with: mark) })
    default: value
    }
  }
}

extension InjectionScene {
  /// Writes messages in the older layout, in which each message names its two people.
  ///
  /// Messages between Lena and Anna come before and after Sarah's message to Marco.
  func writeOlderLayout(to emulator: EmulatorProcess) async throws {
    var documents: JSONObject = [:]
    for (name, language) in [("sarah", "en"), ("marco", "it"), ("lena", "en"), ("anna", "en")] {
      documents["users/uid-of-\(name)"] = .object(["primaryLanguage": .string(language)])
    }
    let secret = "The secret word is \(plantedElsewhere)."
    let messages = [
      ("id-of-first", "lena", "anna", secret), ("id-of-second", "anna", "lena", secret),
      ("id-of-message", "sarah", "marco", "Shall we meet at \(planted)?"),
      ("id-of-last", "lena", "anna", secret),
    ]
    for (minute, (id, sender, recipient, text)) in messages.enumerated() {
      documents["conversations/id-of-conversation/messages/\(id)"] = .object([
        "senderId": .string("uid-of-\(sender)"), "recipientId": .string("uid-of-\(recipient)"),
        "text": .string(text), "language": .string("en"),
        "timestamp": .object(["timestampValue": .string("2026-01-05T18:0\(minute):00Z")]),
      ])
    }
    try await emulator.write(.object(documents), project: project)
  }
}
