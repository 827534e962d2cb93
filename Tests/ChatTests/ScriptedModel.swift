import Core
import FirestoreModel
import FunctionRuntime
import Logging
import Providers
import Synchronization
import TestKit

/// A model that gives the answers of a list, and records the prompts.
final class ScriptedModel: LanguageModel {
  typealias Answer = Result<Completion, StatusError>

  private let state: Mutex<(answers: [Answer], prompts: [Prompt])>

  init(_ answers: [Answer]) { state = Mutex((answers, [])) }

  var prompts: [Prompt] { state.withLock(\.prompts) }

  func complete(
    _ prompt: Prompt,
    onText: (@Sendable (String) -> Void)?
  ) async throws(StatusError) -> Completion {
    let answer = state.withLock { state -> Answer in
      state.prompts.append(prompt)
      guard !state.answers.isEmpty else {
        return .failure(StatusError(.internal, "the script has no more answers"))
      }
      return state.answers.removeFirst()
    }
    return try answer.get()
  }
}

/// A recorder of log entries. Each entry is one text.
final class LogRecorder: Sendable {
  private let lines = Mutex<[String]>([])

  var entries: [String] { lines.withLock(\.self) }

  var logger: Logger { Logger(label: "tests") { _ in Handler(recorder: self) } }

  private struct Handler: LogHandler {
    var recorder: LogRecorder
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }
        .map { "\($0.key)=\($0.value)" }
      let line = (["\(event.level): \(event.message)"] + metadata).joined(separator: " ")
      recorder.lines.withLock { $0.append(line) }
    }
  }
}

extension FunctionContext {
  /// Returns the context of an invocation with much time left, at 1,700,000,000 seconds.
  static func forTests(
    deadline: ContinuousClock.Instant = .generous,
    logger: Logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
  ) -> FunctionContext {
    FunctionContext(
      function: "translateMessage",
      eventID: "e",
      invocationID: "i",
      attempt: 1,
      deadline: deadline,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      sources: .init(now: { Timestamp(seconds: 1_700_000_000) }, random: { 1 }),
      logger: logger
    )
  }
}
