package import Core
import ProviderFakes

/// A maker of fixtures from recorded invocations.
package struct FixtureMaker: Sendable {
  private let engine: ReplayEngine

  package init(_ engine: ReplayEngine) { self.engine = engine }

  /// Replays a recording twice, and returns its fixture.
  ///
  /// - Throws: `FAILED_PRECONDITION` if a replay ends differently from the recording, or if the
  ///   fixture contains a key.
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
      : result.refusals.first ?? result.unused.first.map { "\($0) was recorded but not requested" }
    if let problem {
      throw StatusError(.failedPrecondition, "the replay differs from the recording: \(problem)")
    }
    fixture.queries = result.queries
    fixture.expected = result.outcome
    // Changed documents and queries are known only after the first replay; a second one checks
    // them.
    if let problem = try await engine.replay(fixture).problems(with: fixture).first {
      throw StatusError(.failedPrecondition, "two replays differ: \(problem)")
    }
    if let secret = LiveSecret.first(in: try fixture.file) {
      throw StatusError(.failedPrecondition, "the recording contains what looks like \(secret)")
    }
    return fixture
  }
}

extension ReplayFixture {
  /// The name of the fixture's file: `event` or `call`, the outcome, a part of the ID, and the
  /// attempt if it isn't the first.
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
