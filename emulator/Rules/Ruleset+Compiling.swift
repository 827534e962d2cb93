extension Ruleset {
  /// Compiles a ruleset's text.
  package init(compiling source: String) throws(CompilationError) {
    guard !source.isEmpty else {
      throw CompilationError([
        Issue(.error, "Rules content empty. Compilation aborted.", at: nil)
      ])
    }
    let tree = try SyntaxTree(parsing: source)
    let (version, issues) = RulesetChecks.run(tree)
    guard issues.allSatisfy({ $0.severity != .error }) else { throw CompilationError(issues) }
    self.init(
      version: version,
      services: tree.services.map { service in
        var service = service
        service.sharedFunctions = tree.functions
        return service
      },
      source: source,
      warnings: issues
    )
  }
}
