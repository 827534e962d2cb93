import Core
import TestKit

/// A conversation of Sarah and Marco in a new project, and functions that ask a model about it.
struct ModelScene {
  static let text = "Break a leg at your interview tomorrow!"
  static let conversation = #""conversations/c1": {"participants": ["sarah", "marco"]}"#

  let project = "demo-\(UUID().uuidString.lowercased())"

  /// - Parameter documents: documents in addition to the two people's profiles, as fields of a
  ///   plain JSON object.
  init(_ documents: String...) async throws {
    try await write(
      ([
        #""users/sarah": {"displayName": "Sarah", "primaryLanguage": "en"}"#,
        #""users/marco": {"displayName": "Marco", "primaryLanguage": "it"}"#,
      ] + documents).joined(separator: ",")
    )
  }

  /// Returns a message's path and fields as one field of a plain JSON object.
  ///
  /// - Parameter second: the time of the message, in seconds after ten o'clock.
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

  /// The outcome of a call, and the input that the model received.
  struct Outcome {
    var run: FunctionRun
    /// The user message of each request to the model.
    var given: [String]
  }

  /// Calls a function whose model gives one scripted answer.
  ///
  /// - Parameters:
  ///   - data: the call's data, or `nil` for the question's own data.
  ///   - answer: the model's answer, or `nil` for the question's good answer.
  ///   - time: the current time that the function sees, or `nil` for the real one.
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
