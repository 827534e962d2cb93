import Core
import Synchronization

/// Replays many fixtures, some at once.
package struct ReplayBatch: Sendable {
  private let engine: ReplayEngine
  private let function: String?
  private let updates: Bool

  /// - Parameters:
  ///   - function: whose fixtures are replayed; nil for all.
  ///   - updates: whether fixtures that differ are written anew, with what came of them.
  package init(_ engine: ReplayEngine, function: String? = nil, updates: Bool = false) {
    self.engine = engine
    self.function = function
    self.updates = updates
  }

  /// - Returns: one for each file, in their order, but for those of functions not asked for.
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
