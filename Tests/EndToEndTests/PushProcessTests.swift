import Core
import Cryptography
import FunctionHost
import HTTPClient
import TestKit
import Testing

/// Processes of sendNotification: their access tokens, connections and exit codes.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct PushProcessTests {
  /// A conversation in a new project, and servers in place of FCM and its token endpoint.
  private struct Scene {
    let emulator: EmulatorProcess
    let project = "demo-\(UUID().uuidString.lowercased())"
    let tokens: LoopbackServer
    let fcm: LoopbackServer
    var environment: [String: String]

    /// - Parameters:
    ///   - folder: the folder for the service account's key file.
    ///   - answer: returns FCM's response for a device token and an access token.
    init(
      _ folder: String,
      _ answer: @escaping @Sendable (_ device: String, _ bearer: String) -> ScriptedAnswer
    ) throws {
      emulator = try sharedEmulator()
      tokens = try LoopbackServer(
        answers: (1...20).map {
          .init(200, #"{"access_token":"t\#($0)","expires_in":3599,"token_type":"Bearer"}"#)
        }
      )
      fcm = try LoopbackServer { request, connection in
        let device = (try? JSONValue(parsing: request.body))?.at("message.token")?.string
        let answer = answer(device ?? "", request.headers["authorization"] ?? "")
        return connection.answer(
          status: answer.status,
          headers: answer.headers,
          body: Data(answer.body.utf8)
        )
      }
      let file = [
        "type": "service_account", "client_email": "a@b", "token_uri": tokens.url("/token"),
        "private_key": try RSAKey.generate(bits: 1_024).pem(),
      ]
      try Data(text(file).utf8).write(to: URL(filePath: "\(folder)/key.json"))
      environment = try emulator.environment(project: project).merging([
        "GOOGLE_APPLICATION_CREDENTIALS": "\(folder)/key.json",
        "FCM_BASE_URL": fcm.url(""),
      ]) { $1 }
    }

    func stop() {
      tokens.stop()
      fcm.stop()
    }

    func write(messages: Int, readers: [String] = ["marco"]) async throws {
      var documents: JSONObject = [
        "users/sarah": try json(#"{"displayName":"Sarah","primaryLanguage":"en"}"#),
        "conversations/c": .object([
          "participants": .array((["sarah"] + readers).map(JSONValue.string))
        ]),
      ]
      for uid in readers {
        documents["users/\(uid)"] = try json(#"{"primaryLanguage":"en"}"#)
        documents["users/\(uid)/devices/d"] = .object(["fcmToken": .string("\(uid)-phone")])
      }
      for id in 0..<messages {
        documents["conversations/c/messages/m\(id)"] = try json(
          #"{"senderId":"sarah","text":"PLANTED","language":"en","readBy":[],"#
            + #""timestamp":{"timestampValue":"2025-10-21T10:00:00Z"}}"#
        )
      }
      try await emulator.write(.object(documents), project: project)
    }

    func event(_ id: Int) async throws -> String {
      let path = "conversations/c/messages/m\(id)"
      return try await runProgram(
        "emulator",
        ["generate-event", "created", path, "--project", project]
      ).text.trimmingLineFeed
    }

    func run(_ id: Int) async throws -> FunctionRun {
      try await runFunction("sendNotification", input: event(id), environment: environment)
    }
  }

  private static let taken = ScriptedAnswer(200, #"{"name":"projects/p/messages/1"}"#)

  @Test func `each process requests an access token and leaves no trace of it`() async throws {
    try await withTemporaryFolder { folder in
      let scene = try Scene(folder) { _, _ in Self.taken }
      defer { scene.stop() }
      try await scene.write(messages: 2)
      for id in 0..<2 { #expect(try await scene.run(id).exitCode == 0) }
      #expect(scene.tokens.requests.count == 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["key.json"])
    }
  }

  @Test func `a token that FCM refuses is replaced`() async throws {
    try await withTemporaryFolder { folder in
      let scene = try Scene(folder) { _, bearer in
        bearer == "Bearer t1" ? ScriptedAnswer(401) : Self.taken
      }
      defer { scene.stop() }
      try await scene.write(messages: 1)
      #expect(try await scene.run(0).exitCode == 0)
      #expect(scene.fcm.requests.map { $0.headers["authorization"] } == ["Bearer t1", "Bearer t2"])
      #expect(scene.tokens.requests.count == 2)
    }
  }

  @Test func `a worker's pushes share one connection and one access token`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let scene = try Scene(folder) { _, _ in Self.taken }
      defer { scene.stop() }
      try await scene.write(messages: 12)
      let worker = try await WorkerSession("sendNotification", environment: scene.environment)
      for id in 0..<12 {
        try await worker.send(scene.event(id))
        #expect(try await worker.nextResult()?["exitCode"] == .integer(0))
      }
      #expect(await worker.end() == .exited(0))
      #expect(scene.fcm.requests.count == 12)
      #expect(scene.fcm.connectionCount == 1)
      #expect(scene.tokens.requests.count == 1)
    }
  }

  /// FCM returns an error for every phone except Ann's and Zoe's.
  @Test func `every reader's push is tried, and the exit code shows what is left`() async throws {
    try await withTemporaryFolder { folder in
      let error = { (status: Int, code: String) in
        ScriptedAnswer(
          status,
          #"{"error":{"code":\#(status),"details":[{"errorCode":"\#(code)"}]}}"#
        )
      }
      let invalid =
        #"{"error":{"message":"The registration token is not a valid FCM registration token","#
        + #""details":[{"errorCode":"INVALID_ARGUMENT"}]}}"#
      let answers = [
        "dead-phone": error(404, "UNREGISTERED"), "other-phone": error(403, "SENDER_ID_MISMATCH"),
        "wrong-phone": ScriptedAnswer(400, invalid),
        "busy-phone": ScriptedAnswer(
          429,
          headers: ["Retry-After: 7"],
          #"{"error":{"details":[{"errorCode":"QUOTA_EXCEEDED"}]}}"#
        ),
        "apple-phone": error(401, "THIRD_PARTY_AUTH_ERROR"),
        "odd-phone": error(400, "INVALID_ARGUMENT"), "down-phone": ScriptedAnswer(502, "<html>"),
      ]
      let scene = try Scene(folder) { device, _ in answers[device] ?? Self.taken }
      defer { scene.stop() }
      let readers = ["ann", "dead", "other", "wrong", "busy", "apple", "odd", "down", "zoe"]
      try await scene.write(messages: 1, readers: readers)
      let first = try await scene.run(0)
      #expect(first.exitCode == 75)
      #expect(first.errorCode == "RESOURCE_EXHAUSTED")
      #expect(first.line.at("error.retryAfterMs") == .integer(7_000))
      #expect(scene.fcm.requests.count == 9)
      for uid in readers {
        let devices = try await scene.emulator.collection(
          "users/\(uid)/devices",
          project: scene.project
        )
        #expect(devices.isEmpty == ["dead", "other", "wrong"].contains(uid), "\(uid)")
      }
      // The redelivery tries four phones again: all that have no push, except the three removed
      // ones.
      #expect(try await scene.run(0).exitCode == 75)
      #expect(scene.fcm.requests.count == 13)
      for secret in ["PLANTED", "-phone", "Bearer", "PRIVATE KEY"] {
        #expect(!first.errorText.contains(secret))
      }
    }
  }

  @Test(arguments: [
    (["odd"], 70, "INTERNAL"), (["apple", "odd"], 78, "PERMISSION_DENIED"),
  ])
  func `a failure that no redelivery fixes is not redelivered`(
    readers: [String],
    exitCode: Int32,
    code: String
  ) async throws {
    try await withTemporaryFolder { folder in
      let scene = try Scene(folder) { device, _ in
        device == "apple-phone"
          ? ScriptedAnswer(401, #"{"error":{"details":[{"errorCode":"THIRD_PARTY_AUTH_ERROR"}]}}"#)
          : ScriptedAnswer(400, #"{"error":{"details":[{"errorCode":"INVALID_ARGUMENT"}]}}"#)
      }
      defer { scene.stop() }
      try await scene.write(messages: 1, readers: readers)
      let run = try await scene.run(0)
      #expect((run.exitCode, run.errorCode) == (exitCode, code))
      #expect(run.line.at("error.retryable") == .boolean(false))
      #expect(scene.fcm.requests.count == readers.count)
    }
  }

  @Test func `a label counts pushes in Firebase's reports, and an invalid one ends with 78`()
    async throws
  {
    try await withTemporaryFolder { folder in
      var scene = try Scene(folder) { _, _ in Self.taken }
      defer { scene.stop() }
      try await scene.write(messages: 1)
      scene.environment["FCM_ANALYTICS_LABEL"] = "two words"
      #expect(try await scene.run(0).exitCode == 78)
      scene.environment["FCM_ANALYTICS_LABEL"] = "chat"
      #expect(try await scene.run(0).exitCode == 0)
      #expect(scene.fcm.requests.count == 1)
      let body = try JSONValue(parsing: try #require(scene.fcm.requests.first).body)
      #expect(body.at("message.fcm_options.analytics_label") == .string("chat"))
    }
  }

  @Test func `an invalid key file ends with 78 before anything is sent`() async throws {
    try await withTemporaryFolder { folder in
      let scene = try Scene(folder) { _, _ in Self.taken }
      defer { scene.stop() }
      try await scene.write(messages: 1)
      for content in ["", "PLANTED", #"{"type":"service_account","client_email":"a@b"}"#] {
        try Data(content.utf8).write(to: URL(filePath: "\(folder)/key.json"))
        let run = try await scene.run(0)
        #expect(run.exitCode == 78)
        #expect(run.errorMessage?.hasPrefix("GOOGLE_APPLICATION_CREDENTIALS") == true)
        #expect(!run.line.text.contains("PLANTED"))
      }
      #expect(scene.tokens.connectionCount == 0)
    }
  }

  /// Google's client libraries get an access token from the functions' port, as they do from the
  /// metadata server on Google Cloud.
  @Test func `the emulator is a metadata server for clients configured with its port`() async throws
  {
    let emulator = try sharedEmulator()
    let flavor = HTTPHeader("Metadata-Flavor", "Google")
    let ping = try await emulator.request("GET", "functions", "/", headers: [flavor])
    #expect(ping.headers["metadata-flavor"] == "Google")
    let token = try await emulator.request(
      "GET",
      "functions",
      "/computeMetadata/v1/instance/service-accounts/default/token",
      headers: [flavor]
    )
    let bearer = try #require(token.json["access_token"]?.string)
    let push = try await emulator.request(
      "POST",
      "functions",
      "/providers/v1/projects/demo-metadata/messages:send",
      headers: [HTTPHeader("Authorization", "Bearer \(bearer)")],
      json: #"{"message":{"token":"t"}}"#
    )
    #expect(push.status == 200)
  }
}
