extension Ruleset {
  /// Compiles a ruleset's text.
  package init(compiling source: String) throws(CompilationError) {
    guard !source.isEmpty else {
      throw CompilationError([
        Issue(.error, "Rules content empty. Compilation aborted.", at: nil)
      ])
    }
    let text = SourceText(source)
    var lexer = Lexer(text)
    lexer.run()
    var parser = Parser(text, tokens: lexer.tokens)
    let tree: Parser.Tree
    do throws(Parser.Failure) {
      tree = try parser.parse()
    } catch {
      throw CompilationError(lexer.issues + [error.issue])
    }
    let errors = lexer.issues + parser.issues
    guard errors.isEmpty else { throw CompilationError(errors) }
    self.init(
      version: tree.version?.text == "2" ? .two : .one,
      services: tree.services.map { service in
        var service = service
        service.functions.insert(contentsOf: tree.functions, at: 0)
        return service
      },
      source: source,
      warnings: []
    )
  }
}
