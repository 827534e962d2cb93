/// A gap in the coverage: an expression that was never evaluated, or always had the same result.
package struct CoverageGap: Sendable {
  package enum Kind: String, Codable, Sendable {
    case notEvaluated = "never evaluated"
    case alwaysTrue = "always true"
    case alwaysFalse = "always false"
    case alwaysError = "always an error"
  }

  package var range: SourceRange
  package var text: String
  package var kind: Kind
}

extension RuleCoverage {
  /// The expressions that were never evaluated, and the conditions that always had the same result,
  /// in the order of the file.
  ///
  /// The parts of an expression that was never evaluated aren't listed, and neither is a condition
  /// that consists of others.
  package var gaps: [CoverageGap] {
    let tallies = tallies
    var conditions = [Bool](repeating: false, count: tallies.count)
    for (index, node) in tree.nodes.enumerated() where tallies[index].isCondition {
      if let parent = node.parent { conditions[parent] = true }
    }
    let source = SourceText(text)
    var gaps: [CoverageGap] = []
    for (index, node) in tree.nodes.enumerated() {
      let tally = tallies[index]
      let kind: CoverageGap.Kind
      if tally.evaluations == 0 {
        if let parent = node.parent, tallies[parent].evaluations == 0 { continue }
        kind = .notEvaluated
      } else if node.source == index, !conditions[index], let constant = tally.constant {
        kind = constant
      } else {
        continue
      }
      gaps.append(
        CoverageGap(range: node.range, text: Self.text(of: node.range, in: source), kind: kind)
      )
    }
    return gaps.sorted { $0.range.start < $1.range.start }
  }

  /// The number of expressions, and of those that were evaluated.
  package var expressionCounts: (all: Int, evaluated: Int) {
    let tallies = tallies
    return (tallies.count, tallies.count { $0.evaluations > 0 })
  }
}
