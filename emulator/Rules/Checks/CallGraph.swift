/// Which functions call which.
struct CallGraph {
  private struct Node {
    var name: Name
    /// The functions that it calls, in the order of the calls.
    var callees: [Int] = []
    var knownCallees: Set<Int> = []
    var isCalledByFunction = false
    var isCalled = false
    /// The number of functions in the longest chain of calls that begins here.
    var height = 0
  }

  /// The most functions in a chain of calls. Google's error text counts the calls between them.
  private static let longestChain = 21
  /// The most cycles that are reported, and the most functions of one that are named.
  private static let mostCycles = 20
  private static let mostNames = 50

  private var nodes: [Node] = []

  /// Adds a function and returns its number.
  mutating func add(_ name: Name) -> Int {
    nodes.append(Node(name: name))
    return nodes.count - 1
  }

  /// - Parameter caller: The function with the call, or `nil` if a condition has it.
  mutating func addCall(from caller: Int?, to callee: Int) {
    nodes[callee].isCalled = true
    guard let caller else { return }
    nodes[callee].isCalledByFunction = true
    if nodes[caller].knownCallees.insert(callee).inserted { nodes[caller].callees.append(callee) }
  }

  /// The functions that nothing calls.
  var unused: [Name] { nodes.filter { !$0.isCalled }.map(\.name) }

  /// Returns the errors of recursive calls and of chains that are too long.
  mutating func errors() -> [Issue] {
    let cycles = visit()
    return cycles.prefix(Self.mostCycles).map(recursion) + chainErrors()
  }

  private func recursion(_ cycle: [Int]) -> Issue {
    var names = cycle.prefix(Self.mostNames).map { nodes[$0].name.text }
    if cycle.count > Self.mostNames { names.append("…") }
    let description =
      cycle.count == 1
      ? "Recursive call is not allowed."
      : "Detected a call cycle between [\(names.joined(separator: ","))] functions."
    return Issue(.error, description, at: nodes[cycle[0]].name.range)
  }

  /// Visits all functions along the calls without recursion, computes the heights, and returns the
  /// cycles.
  private mutating func visit() -> [[Int]] {
    enum State { case new, open, done }
    var states = [State](repeating: .new, count: nodes.count)
    var cycles: [[Int]] = []
    for root in nodes.indices where states[root] == .new {
      var path = [(node: root, next: 0)]
      states[root] = .open
      while let (node, next) = path.last {
        if next == nodes[node].callees.count {
          states[node] = .done
          let heights = nodes[node].callees.map { nodes[$0].height }
          nodes[node].height = 1 + (heights.max() ?? 0)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let callee = nodes[node].callees[next]
        switch states[callee] {
        case .done: break
        case .new:
          states[callee] = .open
          path.append((callee, 0))
        case .open:
          guard cycles.count < Self.mostCycles else { break }
          cycles.append(path.map(\.node).suffix(from: { $0 == callee }))
        }
      }
    }
    return cycles
  }

  /// The errors of functions that begin chains of too many calls, one for each.
  private func chainErrors() -> [Issue] {
    nodes.indices.filter {
      !nodes[$0].isCalledByFunction && nodes[$0].height > Self.longestChain
    }.map { root in
      var chain = [root]
      while chain.count < Self.longestChain {
        let missing = Self.longestChain + 1 - chain.count
        guard
          let next = nodes[chain[chain.count - 1]].callees.first(where: {
            nodes[$0].height >= missing
          })
        else { break }
        chain.append(next)
      }
      let names = chain.map { nodes[$0].name.text }.joined(separator: "->")
      return Issue(
        .error,
        "Maximum allowed call depth of \(Self.longestChain - 1) is reached for [\(names)] call stack.",
        at: nodes[chain[chain.count - 1]].name.range
      )
    }
  }
}

extension Array {
  /// Returns the elements from the first one for which a predicate holds.
  fileprivate func suffix(from isFirst: (Element) -> Bool) -> [Element] {
    Array(drop { !isFirst($0) })
  }
}
