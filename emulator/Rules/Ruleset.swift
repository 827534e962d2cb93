/// A ruleset that compiles.
package struct Ruleset: Sendable {
  package enum Version: Int, Sendable {
    case one = 1
    case two = 2
  }

  package let version: Version
  /// The functions outside of services, which a service's own functions can hide.
  package let functions: [FunctionDeclaration]
  package let services: [ServiceDeclaration]
  /// The text that the ruleset was made from.
  package let source: String
  package let warnings: [Issue]

  package init(
    version: Version,
    functions: [FunctionDeclaration],
    services: [ServiceDeclaration],
    source: String,
    warnings: [Issue]
  ) {
    self.version = version
    self.functions = functions
    self.services = services
    self.source = source
    self.warnings = warnings
  }
}

/// The errors of a text that isn't a valid ruleset, with its warnings, in the order of the text.
package struct CompilationError: Error, Sendable {
  package var issues: [Issue]

  package init(_ issues: [Issue]) { self.issues = issues }

  /// The errors without the warnings.
  package var errors: [Issue] { issues.filter { $0.severity == .error } }

  /// Throws an error if the text of rules has too many bytes.
  static func checkSize(of source: String, atMost limit: Int) throws(CompilationError) {
    guard source.utf8.count > limit else { return }
    throw CompilationError([
      Issue(
        .error,
        "The rules have \(source.utf8.count) bytes. The limit is \(limit).",
        at: nil
      )
    ])
  }
}
