import HTTPService
import Platform
package import RPCStatus

/// Makes a fixture of a recorded invocation: one that has nobody's words in it, and that replays.
package struct FixtureMaker: Sendable {
  /// What every fixture's project is called.
  static let project = "demo-worldchat"

  private let engine: ReplayEngine
  private let keepsPeople: Bool

  /// - Parameter keepsPeople: whether names, texts and ids stay as they are; tokens never do.
  package init(_ engine: ReplayEngine, keepsPeople: Bool) {
    self.engine = engine
    self.keepsPeople = keepsPeople
  }

  /// - Throws: `FAILED_PRECONDITION` if it doesn't end in a replay as it did when it was recorded,
  ///   before or after people were replaced, or if there is a key in it.
  package func fixture(
    of recording: ReplayFixture
  ) async throws(StatusError) -> ReplayFixture {
    var fixture = try await settled(recording, as: recording, "a replay of it")
    let scrubber = Scrubber(
      fixture,
      keepsPeople: keepsPeople,
      functions: Set(engine.manifests.keys)
    )
    fixture = try await settled(scrubber.scrubbed(), as: recording, "with other people in it, it")
    let problems = try await engine.replay(fixture).problems(with: fixture)
    if let problem = problems.first {
      throw StatusError(.failedPrecondition, "no two replays of it are the same: \(problem)")
    }
    if let secret = LiveSecret.first(in: try fixture.file) {
      throw StatusError(.failedPrecondition, "it holds what looks like \(secret)")
    }
    return fixture
  }

  /// The fixture with what is asked and what comes of it in a replay.
  private func settled(
    _ fixture: ReplayFixture,
    as recording: ReplayFixture,
    _ what: String
  ) async throws(StatusError) -> ReplayFixture {
    let result = try await engine.replay(fixture, learns: true)
    let problem =
      result.hasMatchedRequests
      ? Difference.all(
        expected: .array(recording.expected.kind.map(JSONValue.string)),
        actual: .array(result.outcome.kind.map(JSONValue.string)),
        at: "end"
      ).first?.description
      : result.refusals.first ?? result.unused.first.map { "\($0) was not asked for" }
    if let problem {
      throw StatusError(.failedPrecondition, "\(what) goes otherwise: \(problem)")
    }
    var settled = fixture
    settled.exchanges = result.exchanges
    settled.queries = result.queries
    settled.expected = result.outcome
    return settled
  }
}

extension ReplayFixture {
  /// A name for its file: how it ended, and what tells it from others, other attempts among them.
  package var fileName: String {
    let code = expected.reply?["error"]?["code"]?.string ?? "crashed"
    let end =
      expected.status == "error"
      ? code.lowercased().split(separator: "_").joined(separator: "-") : expected.status
    let id = invocationID.filter { $0.isLetter || $0.isNumber }.prefix(8)
    let again = attempt == 1 ? "" : "-attempt-\(attempt)"
    return "\(isEvent ? "event" : "call")-\(end)-\(id)\(again).json"
  }
}
