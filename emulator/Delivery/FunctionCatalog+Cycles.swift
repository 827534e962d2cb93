import FirestoreModel
import FunctionHost
import FunctionRuntime

extension FunctionCatalog {
  /// The functions, sorted by name.
  var sorted: [InstalledFunction] { functions.values.sorted { $0.name < $1.name } }

  /// The cycles of functions whose declared writes trigger each other, each as `a → b → a`.
  ///
  /// Only triggers that fire on updates and have no list of fields count, since they can loop on
  /// one document. A loop of creations or deletions needs a new document for each round. A list of
  /// fields limits the trigger to changes that concern the function.
  var cycles: [String] {
    let functions = sorted
    var found: [String] = []
    for first in functions {
      // Each cycle is found once, from the function whose name sorts first.
      let others = functions.filter { $0.name >= first.name }
      guard let way = Self.way(from: first, to: first, by: others, visited: []) else { continue }
      found.append((way + [first]).map(\.name).joined(separator: " → "))
    }
    return found
  }

  /// Returns the functions on a path of triggers from `start` to a function that triggers `end`, or
  /// `nil` if there is none.
  private static func way(
    from start: InstalledFunction,
    to end: InstalledFunction,
    by functions: [InstalledFunction],
    visited: [InstalledFunction]
  ) -> [InstalledFunction]? {
    if wakes(start, end) { return visited + [start] }
    for next in functions
    where next.name != start.name && wakes(start, next)
      && !visited.contains(where: { $0.name == next.name })
    {
      let way = way(from: next, to: end, by: functions, visited: visited + [start])
      if let way { return way }
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether a function's declared writes can trigger
  /// another.
  private static func wakes(_ writer: InstalledFunction, _ woken: InstalledFunction) -> Bool {
    let written = writer.manifest.writes.compactMap { try? PathPattern($0) }
    return woken.manifest.triggers.contains { trigger in
      guard trigger.eventType.includes(.updated), trigger.fields == nil,
        trigger.eventType.subject == .document, let pattern = try? trigger.pattern
      else { return false }
      return written.contains(where: pattern.overlaps)
    }
  }
}
