import FirestoreModel
import FunctionHost
import FunctionRuntime

extension FunctionCatalog {
  /// In the order of their names.
  var sorted: [InstalledFunction] { functions.values.sorted { $0.name < $1.name } }

  /// Circles of functions that wake each other by what they say they write, each as a sentence.
  ///
  /// Only updates without a list of fields count: they go round with one document, while a new
  /// document is needed for each creation and deletion, and a list of fields says what concerns
  /// the function.
  var cycles: [String] {
    let functions = sorted
    var found: [String] = []
    for first in functions {
      // Each circle is told once, from the name that comes first.
      let others = functions.filter { $0.name >= first.name }
      guard let way = Self.way(from: first, to: first, by: others, visited: []) else { continue }
      found.append((way + [first]).map(\.name).joined(separator: " → "))
    }
    return found
  }

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

  private static func wakes(_ writer: InstalledFunction, _ woken: InstalledFunction) -> Bool {
    let written = writer.manifest.writes.compactMap { try? DocumentPattern($0) }
    return woken.manifest.triggers.contains { trigger in
      guard trigger.eventType.includes(.updated), trigger.fields == nil,
        let pattern = try? DocumentPattern(trigger.document)
      else { return false }
      return written.contains(where: pattern.overlaps)
    }
  }
}
