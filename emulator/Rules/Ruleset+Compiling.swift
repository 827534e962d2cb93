extension Ruleset {
  /// The most bytes of a ruleset's text, in production. Google's emulator has no such limit.
  package static let mostBytes = 256 << 10

  /// Compiles a ruleset's text, with the errors and warnings of Google's compiler.
  package init(compiling source: String) throws(CompilationError) {
    guard !source.isEmpty else {
      throw CompilationError([
        Issue(.error, "Rules content empty. Compilation aborted.", at: nil)
      ])
    }
    try CompilationError.checkSize(of: source, atMost: Self.mostBytes)
    let compiled = LargeStack.run { () -> Result<Ruleset, CompilationError> in
      do throws(CompilationError) {
        return .success(try Self.compiled(source))
      } catch {
        return .failure(error)
      }
    }
    guard let compiled else {
      throw CompilationError([Issue(.error, "The system can't create a thread.", at: nil)])
    }
    self = try compiled.get()
  }

  private static func compiled(_ source: String) throws(CompilationError) -> Ruleset {
    let tree = try SyntaxTree(parsing: source)
    let (version, issues) = RulesetChecks.run(tree)
    guard issues.allSatisfy({ $0.severity != .error }) else { throw CompilationError(issues) }
    return Ruleset(
      version: version,
      functions: tree.functions,
      services: tree.services,
      source: source,
      warnings: issues
    )
  }
}
