/// The explanation of a decision: the evaluated expressions, with their values.
package struct DecisionExplanation: Sendable {
  package struct Row: Sendable {
    package var range: SourceRange
    package var text: String
    /// The number of expressions around this one in its condition or function.
    package var depth: Int
    /// The values as rules write them, or errors. An expression of a function has a value for each
    /// call; the first ones are kept.
    package var values: [String]
  }

  /// The most values of a row.
  private static let mostValues = 5

  package let decision: Decision
  /// The expressions of each condition and function, in the order of the file.
  package let rows: [Row]

  /// Decides on a request and notes what is evaluated.
  package init(
    of request: RulesRequest,
    under ruleset: Ruleset,
    documents: any DocumentReader,
    budget: RequestBudget
  ) {
    let tree = CoverageTree(of: ruleset)
    var values = [[String]](repeating: [], count: tree.nodes.count)
    var budget = budget
    budget.restartClock()
    let trace = EvaluationTrace { outcome, range in
      guard let node = tree[range], values[node].count <= Self.mostValues else { return }
      values[node].append(
        values[node].count < Self.mostValues ? outcome.shownText : "further values"
      )
    }
    decision = ruleset.decide(request, documents: documents, budget: &budget, trace: trace)
    rows = Self.rows(of: tree, values, SourceText(ruleset.source))
  }

  private static func rows(
    of tree: CoverageTree,
    _ values: [[String]],
    _ source: SourceText
  ) -> [Row] {
    // A parent comes before its children.
    var depths = [Int](repeating: 0, count: tree.nodes.count)
    var roots = Array(tree.nodes.indices)
    for (index, node) in tree.nodes.enumerated() {
      guard let parent = node.parent else { continue }
      roots[index] = roots[parent]
      // A `let` isn't an expression, but has the rest of its function as its part.
      let isShown = tree.nodes[parent].source == parent && !tree.nodes[parent].isStep
      depths[index] = depths[parent] + (isShown ? 1 : 0)
    }
    let shown = tree.nodes.indices.filter { index in
      let node = tree.nodes[index]
      return node.source == index && !node.isStep && !values[index].isEmpty
    }
    return
      shown
      .sorted {
        (tree.nodes[roots[$0]].range.start, $0) < (tree.nodes[roots[$1]].range.start, $1)
      }
      .map { index in
        let range = tree.nodes[index].range
        return Row(
          range: range,
          text: RuleCoverage.text(of: range, in: source),
          depth: depths[index],
          values: values[index]
        )
      }
  }
}

extension EvaluationTrace.Outcome {
  fileprivate var shownText: String {
    switch self {
    case .success(let value): value.shownText
    case .failure(let error): "error: \(error.message)"
    }
  }
}
