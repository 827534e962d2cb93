import Core
import Recording
import Synchronization

/// A writer that stores recordings as fixtures in a folder, and counts them.
final class FixtureWriter: Sendable {
  private struct State {
    var written = 0
    var failures = 0
  }

  private let folder: String
  private let maker: FixtureMaker
  private let function: String?
  private let count: Int?
  private let console: Console
  private let state = Mutex(State())

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - function: The only function whose fixtures are written, or `nil` for all.
  ///   - count: The maximum number of fixtures, or `nil` for no limit.
  init(folder: String, maker: FixtureMaker, function: String?, count: Int?, console: Console) {
    self.folder = folder
    self.maker = maker
    self.function = function
    self.count = count
    self.console = console
  }

  /// A Boolean value that indicates whether the maximum number of fixtures has been written.
  var isFull: Bool { count.map { $0 <= state.withLock(\.written) } ?? false }

  /// A Boolean value that indicates whether an invocation couldn't be recorded.
  var hasFailures: Bool { state.withLock(\.failures) > 0 }

  var summary: String {
    let state = state.withLock(\.self)
    let failures = state.failures == 0 ? "" : "; \(state.failures) could not be recorded"
    return "recorded \(state.written) fixtures\(failures)"
  }

  /// Writes a recording.
  ///
  /// - Parameter recording: A fixture, or the reason why an invocation couldn't be recorded.
  /// - Throws: `StatusError` if the file can't be written.
  func write(_ recording: JSONValue) async throws(StatusError) {
    guard !isFull else { return }
    if let reason = recording["reason"]?.string {
      return fail(recording["function"]?.string ?? "a function", reason)
    }
    var fixture = try ReplayFixture(recording)
    guard function == nil || fixture.function == function else { return }
    do throws(StatusError) {
      fixture = try await maker.fixture(of: fixture)
    } catch {
      return fail("\(fixture.function) \(fixture.invocationID)", error.message)
    }
    let folder = "\(folder)/\(fixture.function)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw StatusError(.failedPrecondition, "the folder \(folder) can't be created")
    }
    try FixtureFile(path: "\(folder)/\(fixture.fileName)").write(fixture)
    state.withLock { $0.written += 1 }
  }

  private func fail(_ what: String, _ reason: String) {
    console.warn("not recorded: \(what): \(reason)")
    state.withLock { $0.failures += 1 }
  }
}
