import Core
import FirestoreModel
import TestKit
import Testing

/// A conversation in a new project, on an emulator whose provider fakes play faults.
struct FaultScene {
  /// Parts of texts, translations, questions, tokens and keys. No log line and no error may contain
  /// one.
  static let secrets = [
    "interview", "Break a leg", "bocca al lupo", "colloquio", "PLANTED", "emulator-translation-key",
    "emulator-openai-key", "emulator-anthropic-key", "Bearer", "PRIVATE KEY",
  ]
  static let original = "Break a leg at your interview tomorrow!"
  static let translation = "In bocca al lupo per il colloquio di domani!"

  private static let path = "conversations/c1/messages/m1"

  let emulator: EmulatorProcess
  let project = "demo-\(UUID().uuidString.lowercased())"

  init() async throws {
    emulator = try sharedEmulator()
    try await emulator.write(
      """
      {"users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"},
       "users/marco": {"displayName": "Marco", "primaryLanguage": "it"},
       "users/marco/devices/d": {"fcmToken": "PLANTED-token"},
       "conversations/c1": {"participants": ["sarah", "marco"]},
       "\(Self.path)": {"senderId": "sarah", "language": "en", "text": "\(Self.original)",
         "timestamp": {"timestampValue": "2025-10-21T10:00:00Z"}}}
      """,
      project: project
    )
  }

  // MARK: Faults

  func ask(for fault: ProviderFault) async throws {
    let answer = try await emulator.request(
      "POST",
      "functions",
      "/providers/faults",
      json: fault.form
    )
    #expect(answer.status == 200, Comment(rawValue: answer.text))
  }

  func forgetFaults() async throws {
    #expect(try await emulator.request("DELETE", "functions", "/providers/faults").status == 200)
  }

  /// Returns the numbers of requests that the fakes have received so far.
  func usage() async throws -> JSONValue {
    try await emulator.request("GET", "functions", "/providers/usage").json
  }

  // MARK: Runs

  /// Runs a function, with shorter time limits if the fault delays the answer.
  ///
  /// - Parameter changes: environment variables that replace the default ones.
  func run(
    _ row: ProviderFault,
    isFaulty: Bool,
    changes: [String: String] = [:]
  ) async throws -> FunctionRun {
    var environment = try emulator.environment(project: project).merging(changes) { $1 }
    if row.provider == "anthropic" { environment["LLM_PROVIDER"] = "anthropic" }
    switch row.pace {
    case .budget where isFaulty: environment["LEASE_SECONDS"] = "3"
    case .deadline where isFaulty:
      environment["INVOCATION_DEADLINE"] = "\(Timestamp.now.advanced(by: .seconds(5)))"
    default: break
    }
    return try await runFunction(row.function, input: input(row.function), environment: environment)
  }

  private func input(_ function: String) -> String {
    switch function {
    case "analyzeMessage":
      #"{"data":{"conversationId":"c1","messageId":"m1"},"auth":{"uid":"marco"}}"#
    case "smartReplies": #"{"data":{"conversationId":"c1"},"auth":{"uid":"marco"}}"#
    case "askAI":
      #"{"data":{"conversationId":"c1","query":"What about the interview?"},"#
        + #""auth":{"uid":"marco"}}"#
    default:
      """
      {"specversion":"1.0","id":"\(project)","type":"google.cloud.firestore.document.v1.created",
      "source":"//firestore.googleapis.com/projects/\(project)/databases/(default)",
      "subject":"documents/\(Self.path)","time":"2025-10-21T10:00:00Z",
      "document":"\(Self.path)","data":{"value":{"name":"\(emulator.name(Self.path, project: project))",
      "fields":{},"createTime":"2025-10-21T10:00:00Z","updateTime":"2025-10-21T10:00:00Z"}}}
      """
    }
  }

  // MARK: Checks

  /// Checks the messages, pushes and errors that users see after a run.
  func check(_ sight: ProviderFault.Sight, after run: FunctionRun) async throws {
    let line = Comment(rawValue: run.line.text)
    let message = try #require(try await emulator.fields(of: Self.path, project: project))
    #expect(message["text"] == .string(Self.original), "functions don't change the user's text")
    let bodies = try await pushes().map { $0.at("message.notification.body")?.string }
    switch sight {
    case .translated: #expect(message.at("translations.it") == .string(Self.translation), line)
    case .retryIcon:
      #expect(message.at("translations.it") == nil, line)
      #expect(message.at("translationMeta.it.error")?.string == run.errorCode, line)
    case .push: #expect(bodies == [Self.translation], line)
    case .originalPush: #expect(bodies == [Self.original], line)
    case .noPush: #expect(bodies == [], line)
    case .deadToken:
      #expect(bodies == [], line)
      let device = try await emulator.fields(of: "users/marco/devices/d", project: project)
      #expect(device?["fcmToken"] == nil, line)
    case .answer: #expect(run.result != nil, line)
    case .unavailable:
      #expect(run.errorMessage?.hasPrefix("AI temporarily unavailable: ") == true, line)
    case .fallback:
      #expect(run.result?["engine"] == .string("fallback"), line)
      #expect(run.result?["suggestions"]?.array?.count == 3, line)
      #expect(run.line.at("usage.engines") != .array([.string("fallback")]), line)
      #expect(run.writes.isEmpty, line)
    case .declined: #expect(run.errorMessage == "the language model declined to answer", line)
    case .tooLong: #expect(run.errorMessage?.contains("is too long") == true, line)
    // Only the exit code is checked, because callers get no details of the fault.
    case .broken: #expect(run.exitCode == 78, line)
    }
  }

  func pushes() async throws -> [JSONValue] { try await emulator.pushes(project: project) }

  /// Checks that no secret is in the output of a function, except in its result.
  func checkSecrets(of run: FunctionRun) {
    var line = run.line
    if case .object(var members) = line {
      // The result may contain the texts, because it is meant for the caller.
      members["result"] = nil
      line = .object(members)
    }
    for text in [line.text, run.errorText] {
      for secret in Self.secrets { #expect(!text.contains(secret), Comment(rawValue: text)) }
    }
  }
}
