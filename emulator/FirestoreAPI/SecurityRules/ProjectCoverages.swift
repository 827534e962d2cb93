import Core
import Rules

/// The coverage of projects' rules since they were set.
///
/// The coverage is kept for the projects whose rules decided last.
struct ProjectCoverages {
  private struct Entry {
    let coverage: RuleCoverage
    var lastUse: Int
  }

  /// The most projects whose coverage is kept.
  private let limit: Int
  private var entries: [ByteKey: Entry] = [:]
  private var useCount = 0

  init(limit: Int) { self.limit = limit }

  /// Returns a project's coverage, or `nil` if none is kept.
  subscript(project: ByteKey) -> RuleCoverage? { entries[project]?.coverage }

  /// Returns the coverage that counts a project's decisions, and creates it if none is kept.
  mutating func use(_ project: ByteKey, _ ruleset: Ruleset) -> RuleCoverage {
    useCount += 1
    if let index = entries.index(forKey: project) {
      entries.values[index].lastUse = useCount
      return entries.values[index].coverage
    }
    if entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
    }
    let coverage = RuleCoverage(of: ruleset)
    entries[project] = Entry(coverage: coverage, lastUse: useCount)
    return coverage
  }

  /// Removes the coverage of projects whose rules are replaced.
  mutating func remove(where isReplaced: (ByteKey) -> Bool) {
    entries = entries.filter { !isReplaced($0.key) }
  }
}
