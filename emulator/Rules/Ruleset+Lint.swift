extension Ruleset {
  /// Returns the issues of a text, those of the compiler and warnings of what has no effect, in the
  /// order of the text.
  package static func lint(_ source: String) -> [Issue] {
    let ruleset: Ruleset
    do throws(CompilationError) {
      ruleset = try Ruleset(compiling: source)
    } catch {
      return error.issues
    }
    var issues = ruleset.warnings
    for declaration in ruleset.services {
      guard let service = RulesService(rawValue: declaration.name) else { continue }
      var lint = RulesLint(service)
      for match in declaration.matches { lint.check(match) }
      issues += lint.issues
    }
    return issues.inTextOrder
  }
}
