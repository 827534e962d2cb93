extension Ruleset {
  /// Compiles a ruleset's text.
  package init(compiling source: String) throws(CompilationError) { fatalError() }
}
