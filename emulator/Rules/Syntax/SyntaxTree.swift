/// What a ruleset's text declares, before it is checked.
struct SyntaxTree {
  /// The value of `rules_version`, at the place of that word.
  var version: Name?
  /// The names of imported modules, each at the place of the word `import`.
  var imports: [Name] = []
  /// The functions outside of services, which all services can call.
  var functions: [FunctionDeclaration] = []
  var services: [ServiceDeclaration] = []
}

extension SyntaxTree {
  /// Parses a text.
  ///
  /// - Throws: The first error of syntax and the characters behind it that belong to no token, or
  ///   all such characters. Google's compiler reports the same.
  init(parsing source: String) throws(CompilationError) {
    let text = SourceText(source)
    var lexer = Lexer(text)
    lexer.run()
    var parser = Parser(text, tokens: lexer.tokens)
    do throws(Parser.Failure) {
      self = try parser.parse()
    } catch {
      let offset = error.issue.range?.start ?? 0
      let characters = lexer.issues.filter { ($0.range?.start ?? 0) >= offset }
      throw CompilationError(([error.issue] + characters).limited)
    }
    let errors = lexer.issues + parser.issues
    guard errors.isEmpty else { throw CompilationError(errors.limited) }
  }
}
