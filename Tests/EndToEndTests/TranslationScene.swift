import Core
import Dispatch
import Synchronization
import TestKit
import Testing

/// A conversation in a new project, and runs of translateMessage on its changes.
struct TranslationScene: Sendable {
  let emulator: EmulatorProcess
  let project = "demo-\(UUID().uuidString.lowercased())"
  var environment: [String: String] = [:]

  /// - Parameter changes: environment variables that replace the default ones.
  init(_ changes: [String: String] = [:]) throws {
    emulator = try sharedEmulator()
    environment = try emulator.environment(project: project).merging(changes) { $1 }
  }

  static func path(_ id: String) -> String { "conversations/c/messages/\(id)" }

  /// The profiles of Sarah, who writes English, and Marco, who reads Italian, and their
  /// conversation.
  static let pair = """
    {
      "users/sarah": {"primaryLanguage": "en"}, "users/marco": {"primaryLanguage": "it"},
      "conversations/c": {"participants": ["sarah", "marco"]}
    }
    """

  func write(_ documents: String) async throws {
    try await emulator.write(documents, project: project)
  }

  /// Writes a message from Sarah.
  func send(_ id: String, _ text: String) async throws {
    try await emulator.write(
      .object([
        ByteKey(Self.path(id)): .object([
          "senderId": .string("sarah"), "text": .string(text), "language": .string("en"),
        ])
      ]),
      project: project
    )
  }

  func edit(_ id: String, to text: String, language: String? = nil) async throws {
    var fields: JSONObject = ["text": .string(text)]
    fields["language"] = language.map(JSONValue.string)
    let mask = fields.keys.sorted().map { "updateMask.fieldPaths=\($0)" }.joined(separator: "&")
    let answer = try await emulator.request(
      "PATCH",
      "firestore",
      emulator.documents("/\(Self.path(id))?\(mask)", project: project),
      json: JSONValue.object(["fields": JSONValue.object(fields).firestoreFields]).text
    )
    #expect(answer.status == 200)
  }

  func delete(_ path: String) async throws {
    let target = emulator.documents("/\(path)", project: project)
    #expect(try await emulator.request("DELETE", "firestore", target).status == 200)
  }

  func fields(_ id: String) async throws -> JSONValue? {
    try await emulator.fields(of: Self.path(id), project: project)
  }

  /// Returns the message in the format of events, or `null` if it doesn't exist.
  func document(_ id: String) async throws -> JSONValue {
    let target = emulator.documents("/\(Self.path(id))", project: project)
    let answer = try await emulator.request("GET", "firestore", target)
    return answer.status == 200 ? answer.json : .null
  }

  /// Returns the event of a change from the old message to the message as it is now.
  func event(_ id: String, from old: JSONValue = .null) async throws -> String {
    let new = try await document(id)
    let change = old == .null ? "created" : new == .null ? "deleted" : "updated"
    return JSONValue.object([
      "specversion": .string("1.0"), "id": .string(UUID().uuidString),
      "source": .string("//firestore.googleapis.com/projects/\(project)/databases/(default)"),
      "type": .string("google.cloud.firestore.document.v1.\(change)"),
      "document": .string(Self.path(id)),
      "data": .object(["oldValue": old, "value": new].filter { $0.value != .null }),
    ]).text
  }

  func run(_ input: String) async throws -> FunctionRun {
    try await runFunction("translateMessage", input: input, environment: environment)
  }

  /// Returns the usage count of each cached text. The count is `nil` for a translation that no
  /// message has used. Copies of an entry have no count.
  func cache() async throws -> [String: Int?] {
    let entries = try await emulator.collection("translations", project: project)
    return entries.reduce(into: [:]) {
      let fields = ($1["fields"] ?? .null).plainFields
      let text = fields["sourceText"]?.string ?? "no text"
      $0[text] = .some(fields["usageCount"]?.integer ?? $0[text] ?? nil)
    }
  }
}

/// A translation provider that runs an action before its first answer.
final class SlowProvider: Sendable {
  let server: LoopbackServer

  /// - Parameter action: the action that runs before the first answer.
  init(_ action: @escaping @Sendable () async throws -> Void) throws {
    let isFirst = Mutex(true)
    server = try LoopbackServer { request, connection in
      let acts = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if acts {
        let done = DispatchSemaphore(value: 0)
        Task {
          do { try await action() } catch { Issue.record(error) }
          done.signal()
        }
        done.wait()
      }
      return connection.answerTranslations(to: request)
    }
  }

  var environment: [String: String] {
    // The action may take long, so the lease must be long too.
    ["TRANSLATION_BASE_URL": "http://127.0.0.1:\(server.port)", "LEASE_SECONDS": "60"]
  }
  var calls: Int { server.requests.count }
}

extension ServerConnection {
  /// Answers like Cloud Translation. Each translation is the text with "IT" in front.
  func answerTranslations(to request: ReceivedRequest) -> Bool {
    answer(translating: (try? JSONValue(parsing: request.body))?["q"]?.array ?? [])
  }

  func answer(translating texts: [JSONValue]) -> Bool {
    let translations = texts.map {
      JSONValue.object(["translatedText": .string("IT " + ($0.string ?? ""))])
    }
    let answer = JSONValue.object(["data": .object(["translations": .array(translations)])])
    return self.answer(body: Data(answer.text.utf8))
  }
}
