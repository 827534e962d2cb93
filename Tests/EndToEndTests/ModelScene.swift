import Core
import TestKit

/// What Sarah and Marco wrote, in a project of its own, and what a model is asked about it.
struct ModelScene {
  static let text = "Break a leg at your interview tomorrow!"
  static let conversation = #""conversations/c1": {"participants": ["sarah", "marco"]}"#

  let project = "demo-\(UUID().uuidString.lowercased())"

  /// - Parameter documents: members of an object of plain JSON, beside the two people's profiles.
  init(_ documents: String...) async throws {
    try await write(
      ([
        #""users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"}"#,
        #""users/marco": {"displayName": "Marco", "primaryLanguage": "it"}"#,
      ] + documents).joined(separator: ",")
    )
  }

  /// - Parameter second: when it was sent, after ten o'clock.
  static func message(
    _ id: String,
    _ text: String = text,
    from sender: String = "sarah",
    at second: Int = 1
  ) -> String {
    """
    "conversations/c1/messages/\(id)": {"senderId": "\(sender)", "language": "en",
      "text": "\(text)", "timestamp": {"timestampValue": "\(time(second))"}}
    """
  }

  static func time(_ second: Int) -> String {
    "2025-10-21T10:00:\(second < 10 ? "0" : "")\(second)Z"
  }

  func write(_ documents: String) async throws {
    try await sharedEmulator().write("{\(documents)}", project: project)
  }

  func delete(_ path: String) async throws {
    let emulator = try sharedEmulator()
    let target = emulator.documents("/\(path)", project: project)
    _ = try await emulator.request("DELETE", "firestore", target)
  }

  func fields(of path: String) async throws -> JSONValue? {
    try await sharedEmulator().fields(of: path, project: project)
  }

  /// What came of a call, and what the model was given.
  struct Outcome {
    var run: FunctionRun
    /// The user's part of each request.
    var given: [String]
  }

  /// Calls a function before a model that gives the answer it is to give.
  ///
  /// - Parameters:
  ///   - data: instead of the question's own.
  ///   - answer: instead of the question's good one.
  ///   - time: the function's clock.
  func ask(
    _ question: ModelFaultTests.Question,
    by uid: String = "marco",
    _ data: String? = nil,
    answer: String? = nil,
    at time: String? = nil
  ) async throws -> Outcome {
    let server = try LoopbackServer(model: [ModelAnswer(content: answer ?? question.good)])
    defer { server.stop() }
    let run = try await run(question, by: uid, data, server, at: time)
    return Outcome(
      run: run,
      given: server.bodies.map { $0.at("messages.1.content")?.string ?? "" }
    )
  }

  func run(
    _ question: ModelFaultTests.Question,
    by uid: String = "marco",
    _ data: String? = nil,
    _ server: LoopbackServer,
    at time: String? = nil
  ) async throws -> FunctionRun {
    var environment = try sharedEmulator().environment(project: project)
      .merging(["OPENAI_BASE_URL": server.url("/v1")]) { $1 }
    environment["INVOCATION_TIME"] = time
    let own = try json(question.call)["data"]?.text ?? "{}"
    return try await runFunction(
      question.function,
      input: #"{"data":\#(data ?? own),"auth":{"uid":"\#(uid)"}}"#,
      environment: environment
    )
  }
}
