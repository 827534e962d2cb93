package import Core
import Synchronization

/// The coverage of a ruleset: how often each expression was evaluated, and with which results.
///
/// Its memory is bounded. For each expression it keeps the counts of the first 20 different values,
/// of at most 1 KiB each, and for a ruleset values of at most 1 MiB. All other values are counted
/// together. Lists, maps, sets and paths are only compared for an expression's first 20 of them,
/// because comparing them takes time.
package final class RuleCoverage: Sendable {
  private struct State {
    var tallies: [ResultTally]
    /// The number of bytes that new values may have.
    var room = 1 << 20
  }

  /// The most characters of an expression's text.
  private static let textLimit = 200

  let text: String
  let tree: CoverageTree
  private let state: Mutex<State>

  package init(of ruleset: Ruleset) {
    text = ruleset.source
    tree = CoverageTree(of: ruleset)
    state = Mutex(State(tallies: Array(repeating: ResultTally(), count: tree.nodes.count)))
  }

  /// Counts the result of an expression.
  package func count(_ outcome: EvaluationTrace.Outcome, at range: SourceRange) {
    guard let node = tree[range] else { return }
    state.withLock { $0.tallies[node].add(outcome, room: &$0.room) }
  }

  /// The results of each node.
  var tallies: [ResultTally] {
    let tallies = state.withLock(\.tallies)
    return tree.nodes.map { tallies[$0.source] }
  }

  /// The report in the form of Google's emulator: a tree for each function's result and each
  /// condition.
  package var report: [JSONValue] {
    let tallies = tallies
    var skips = [Int](repeating: 0, count: tallies.count)
    for (index, node) in tree.nodes.enumerated() {
      guard let parent = node.parent else { continue }
      // An operand that its operator didn't need has no value in Google's report.
      let expected = tallies[parent].evaluations + skips[parent]
      skips[index] = max(0, expected - tallies[index].evaluations)
    }
    // Children come after their parents, so in reverse each object is complete when it is added.
    var children = [[JSONValue]](repeating: [], count: tallies.count)
    var roots: [JSONValue] = []
    for (index, node) in tree.nodes.enumerated().reversed() {
      var members: JSONObject = ["sourcePosition": node.range.json]
      let values = tallies[index].json(skipped: skips[index])
      if !values.isEmpty { members["values"] = .array(values) }
      if !children[index].isEmpty { members["children"] = .array(children[index].reversed()) }
      children[index] = []
      if let parent = node.parent {
        children[parent].append(.object(members))
      } else {
        roots.append(.object(members))
      }
    }
    return roots.reversed()
  }

  /// The number of one expression's evaluations, with its values as compact JSON.
  package struct Count: Sendable {
    package var range: SourceRange
    package var text: String
    package var evaluations: Int
    package var values: [(value: String, count: Int)]
  }

  /// The counts of all expressions, in the order of the report.
  package var counts: [Count] {
    let source = SourceText(text)
    return zip(tree.nodes, tallies).map { node, tally in
      Count(
        range: node.range,
        text: Self.text(of: node.range, in: source),
        evaluations: tally.evaluations,
        values: tally.texts
      )
    }
  }

  /// Returns an expression's text, which is cut if it is long.
  static func text(of range: SourceRange, in source: SourceText) -> String {
    let range = source.closed(range)
    var shown = range
    shown.end = min(shown.end, shown.start + textLimit)
    return source.withoutComments(shown) + (shown.end < range.end ? "…" : "")
  }
}
