import Rules

/// Texts of rulesets and what the compiler says about them.
enum RulesetText {
  /// The lines before a condition.
  private static let head = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /things/{id} {
          allow get: if

    """

  /// The line that a condition's first line is.
  static let conditionLine = 6

  /// Returns a ruleset with a condition that begins in column 1 of line 6.
  static func condition(_ expression: String) -> String {
    "\(head)\(expression)\n;\n}}}"
  }

  /// Returns a ruleset of version 2 with declarations in its service, in line 2.
  static func service(_ declarations: String) -> String {
    "rules_version = '2'; service cloud.firestore {\n\(declarations)\n}"
  }

  /// Returns a ruleset with functions beside a statement that calls `f()`.
  static func functions(_ functions: String) -> String {
    service("\(functions) match /a/{b} { allow read: if f(); }")
  }

  static func issues(of source: String) -> [Issue] {
    do throws(CompilationError) {
      return try Ruleset(compiling: source).warnings
    } catch {
      return error.issues
    }
  }

  static func errors(of source: String) -> [Issue] {
    issues(of: source).filter { $0.severity == .error }
  }

  /// Returns the only condition of a ruleset.
  static func parse(_ expression: String) throws(CompilationError) -> Expression? {
    try Ruleset(compiling: condition(expression)).services.first?.matches.first?.matches.first?
      .allows.first?.condition
  }
}

extension Issue {
  /// The issue as a compiler prints it, such as `6:2 Unexpected ')'.`.
  var line: String { "\(range?.line ?? 0):\(range?.column ?? 0) \(description)" }
}
