/// The checks that a syntax tree must pass to be a ruleset, and the warnings about it.
struct RulesetChecks {
  /// The declarations of a block, a service or the file.
  struct Names {
    /// The functions' numbers in the call graph.
    var functions: [String: Function] = [:]
    /// The variables, with the types that their values can have.
    var variables: [String: CallTypes.Types?] = [:]
  }

  struct Function {
    var number: Int
    var parameterCount: Int
  }

  /// A parameter or a variable of the function whose body is checked.
  struct Local {
    var name: Name
    var types: CallTypes.Types?
    var isUsed = false
  }

  let version: Ruleset.Version
  var issues: [Issue] = []
  var calls = CallGraph()
  /// The declarations that the current place sees, the innermost last.
  var scopes: [Names] = []
  /// The service of the current place, or `nil` outside of services.
  var service: String?
  /// The names of the file's services.
  private(set) var services: Set<String> = []
  /// The function whose body is checked.
  var function: Int?
  var locals: [Local] = []
  /// The last of the locals with a name.
  var localIndices: [String: Int] = [:]

  private init(_ version: Ruleset.Version) { self.version = version }

  /// Returns the version and all issues, in the order of the text.
  static func run(_ tree: SyntaxTree) -> (version: Ruleset.Version, issues: [Issue]) {
    let number = tree.version?.text ?? "1"
    var checks = RulesetChecks(number == "2" ? .two : .one)
    if let name = tree.version, number != "1", number != "2" {
      checks.error("Unsupported rules version \(number).", at: name.range)
    }
    checks.check(tree)
    if checks.version == .one, checks.issues.allSatisfy({ $0.severity != .error }) {
      checks.warn(
        "Ruleset uses old version (version [1]). Please update to the latest version "
          + "(version [2]).",
        at: nil
      )
    }
    return (checks.version, checks.issues.limited)
  }

  mutating func error(_ description: String, at range: SourceRange?) {
    issues.append(Issue(.error, description, at: range))
  }

  mutating func warn(_ description: String, at range: SourceRange?) {
    issues.append(Issue(.warning, description, at: range))
  }

  private mutating func check(_ tree: SyntaxTree) {
    for module in tree.imports {
      error("Import statements are not allowed.", at: module.range)
      error("Module \"\(module.text)\" is not part of the standard library.", at: module.range)
    }
    services = Set(tree.services.map(\.name))
    withScope(Names()) { checks in
      checks.check(tree.functions)
      var names: Set<String> = []
      for service in tree.services {
        if !names.insert(service.name).inserted {
          checks.error("Duplicate service name declaration.", at: service.nameRange)
        }
        checks.check(service)
      }
    }
    issues += calls.errors()
    for name in calls.unused { warn("Unused function: \(name.text).", at: name.range) }
  }

  private mutating func check(_ service: ServiceDeclaration) {
    let isKnown = RulesService(rawValue: service.name) != nil
    if !isKnown { warn("Invalid service name: \(service.name).", at: service.nameRange) }
    self.service = service.name
    defer { self.service = nil }
    withScope(Names()) { checks in
      checks.check(service.functions)
      for match in service.matches { checks.check(match, in: Enclosing()) }
    }
  }

  mutating func withScope(_ names: Names, _ body: (inout RulesetChecks) -> Void) {
    scopes.append(names)
    body(&self)
    scopes.removeLast()
  }
}

/// The services whose rules can be checked.
package enum RulesService: String, Sendable {
  case firestore = "cloud.firestore"
  case storage = "firebase.storage"
}
