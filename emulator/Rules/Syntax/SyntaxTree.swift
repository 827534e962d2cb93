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
  /// - Throws: The first error of syntax, and all characters that belong to no token.
  init(parsing source: String) throws(CompilationError) {
    let text = SourceText(source)
    var lexer = Lexer(text)
    lexer.run()
    var parser = Parser(text, tokens: lexer.tokens)
    do throws(Parser.Failure) {
      self = try parser.parse()
    } catch {
      throw CompilationError((lexer.issues + [error.issue]).inTextOrder)
    }
    let errors = lexer.issues + parser.issues
    guard errors.isEmpty else { throw CompilationError(errors.inTextOrder) }
  }
}
