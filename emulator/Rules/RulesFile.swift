/// A file of security rules, compiled.
package final class RulesFile: Sendable {
  /// The name that an option or a client has given, or an empty text if a client gave none.
  package let name: String
  package let content: String
  package let compiled: Result<Ruleset, CompilationError>

  package init(name: String, content: String) {
    self.name = name
    self.content = content
    do throws(CompilationError) {
      compiled = .success(try Ruleset(compiling: content))
    } catch {
      compiled = .failure(error)
    }
  }

  /// The ruleset, or `nil` if the text doesn't compile.
  package var ruleset: Ruleset? { try? compiled.get() }

  /// The errors and warnings in the order of the text.
  package var issues: [Issue] {
    switch compiled {
    case .success(let ruleset): ruleset.warnings
    case .failure(let error): error.issues
    }
  }

  /// The errors, or an empty list if the text compiles.
  package var errors: [Issue] {
    if case .failure(let error) = compiled { error.errors } else { [] }
  }

  /// Returns the errors and warnings about the text as the rules of a service. They include a warning
  /// of a file without rules of the service, which denies every request.
  package func issues(of service: RulesService) -> [Issue] {
    guard let ruleset, !ruleset.services.contains(where: { $0.name == service.rawValue }) else {
      return issues
    }
    let warning = Issue(
      .warning,
      "Every request of a client is denied, because there is no service \(service.rawValue).",
      at: nil
    )
    return [warning] + issues
  }

  /// Rules that allow everything, which a project has while no rules are set.
  package static let open = RulesFile(
    name: "OPEN_RULES",
    content: """
      rules_version = '2';
      service cloud.firestore {
        match /{document=**} {
          allow read, write;
        }
      }

      """
  )
}
