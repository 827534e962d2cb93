import Core
import Synchronization

/// The concurrent replay of many fixtures.
package struct ReplayBatch: Sendable {
  private let engine: ReplayEngine
  private let function: String?
  private let updates: Bool

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - function: the function whose fixtures are replayed, or `nil` for all functions.
  ///   - updates: a Boolean value that indicates whether a fixture that differs is overwritten with
  ///     the new outcome.
  package init(_ engine: ReplayEngine, function: String? = nil, updates: Bool = false) {
    self.engine = engine
    self.function = function
    self.updates = updates
  }

  /// Replays the files, `jobs` at a time.
  ///
  /// - Returns: a report for each file of the function, in the order of the files.
  package func run(_ files: [FixtureFile], jobs: Int) async -> [ReplayReport] {
    await withTaskGroup(of: (Int, ReplayReport?).self) { group in
      var waiting = files.enumerated().makeIterator()
      var reports: [(Int, ReplayReport)] = []
      func start() {
        guard let (index, file) = waiting.next() else { return }
        group.addTask { (index, await report(on: file)) }
      }
      for _ in 0..<jobs { start() }
      for await (index, report) in group {
        if let report { reports.append((index, report)) }
        start()
      }
      return reports.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func report(on file: FixtureFile) async -> ReplayReport? {
    let start = ContinuousClock.now
    var fixture: ReplayFixture?
    do throws(StatusError) {
      let read = try file.read()
      fixture = read
      guard function == nil || read.function == function else { return nil }
      let result = try await engine.replay(read)
      let problems = result.problems(with: read)
      var verdict = problems.isEmpty ? ReplayReport.Verdict.same : .differs(problems)
      if updates, !problems.isEmpty, result.hasMatchedRequests {
        var updated = read
        updated.expected = result.outcome
        try file.write(updated)
        verdict = .updated
        fixture = updated
      }
      return ReplayReport(
        file: file,
        fixture: fixture,
        verdict: verdict,
        duration: ContinuousClock.now - start
      )
    } catch {
      return ReplayReport(file: file, fixture: fixture, verdict: .bad(error.message))
    }
  }
}
