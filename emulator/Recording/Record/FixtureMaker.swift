package import Core
import ProviderFakes

/// Makes a fixture of a recorded invocation, and of what comes of it in a replay.
package struct FixtureMaker: Sendable {
  private let engine: ReplayEngine

  package init(_ engine: ReplayEngine) { self.engine = engine }

  /// - Throws: `FAILED_PRECONDITION` if it doesn't end in a replay as it did when it was recorded,
  ///   or if there is a key in it.
  package func fixture(
    of recording: ReplayFixture
  ) async throws(StatusError) -> ReplayFixture {
    var fixture = try DeviceTokens.replaced(in: recording)
    let result = try await engine.replay(fixture)
    let problem =
      result.hasMatchedRequests
      ? Difference.all(
        expected: .array(recording.expected.kind.map(JSONValue.string)),
        actual: .array(result.outcome.kind.map(JSONValue.string)),
        at: "end"
      ).first?.description
      : result.refusals.first ?? result.unused.first.map { "\($0) was not asked for" }
    if let problem {
      throw StatusError(.failedPrecondition, "a replay of it goes otherwise: \(problem)")
    }
    fixture.queries = result.queries
    fixture.expected = result.outcome
    // Changed documents and queries are known only now: a second replay tells whether they hold.
    if let problem = try await engine.replay(fixture).problems(with: fixture).first {
      throw StatusError(.failedPrecondition, "no two replays of it are the same: \(problem)")
    }
    if let secret = LiveSecret.first(in: try fixture.file) {
      throw StatusError(.failedPrecondition, "it holds what looks like \(secret)")
    }
    return fixture
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
