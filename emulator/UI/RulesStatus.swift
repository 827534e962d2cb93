package import Core
package import FirestoreAPI
package import FirestoreModel
package import Rules
import Synchronization

/// The state of the emulator's security rules, which the Status page shows.
package final class RulesStatus: Sendable {
  private struct State {
    var file: RulesFile?
    var loaded: Timestamp?
    var failure: RulesFailure?
  }

  private let rules: SecurityRules
  private let isOff: Bool
  private let now: @Sendable () -> Timestamp
  private let state: Mutex<State>

  /// Creates the state at the start.
  ///
  /// - Parameters:
  ///   - rules: The rules of all projects.
  ///   - file: The file that is loaded, or `nil` if all data is open.
  ///   - isOff: A Boolean value that indicates whether all data is open on purpose.
  package init(
    of rules: SecurityRules,
    file: RulesFile?,
    isOff: Bool,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.rules = rules
    self.isOff = isOff
    self.now = now
    state = Mutex(State(file: file, loaded: file.map { _ in now() }))
  }

  /// The file whose rules are in force, or `nil` if there is none.
  package var file: RulesFile? { state.withLock(\.file) }

  /// Returns a project's rules and their coverage, as `SecurityRules` does.
  func coverage(of project: String) -> (file: RulesFile?, coverage: RuleCoverage?) {
    rules.coverage(of: project)
  }

  /// The requests that the rules have decided on.
  var requests: RequestLog { rules.requests }

  /// Records that the rules of a file are in force.
  package func loaded(_ file: RulesFile) {
    let now = now()
    state.withLock { $0 = State(file: file, loaded: now) }
  }

  /// Records that the changed file can't be used.
  package func failed(_ error: StatusError) {
    let failure = RulesFailure(error, at: now())
    state.withLock { $0.failure = failure }
  }

  private struct Report: Encodable {
    /// `file`; `off` if all data is open on purpose; `none` if nothing names rules.
    var source: String
    /// The name of the file.
    var file: String?
    /// When the rules in force were loaded.
    var loaded: String?
    var warnings: [Problem]
    /// A text about further warnings, such as `and 7 more`.
    var otherWarnings: String?
    var failure: RulesFailure?
    var projects: [ProjectReport]
  }

  private struct Problem: Encodable {
    var line: Int?
    var column: Int?
    var text: String

    init(_ issue: Issue) {
      line = issue.range?.line
      column = issue.range?.column
      text = issue.description
    }
  }

  /// A project whose own rules a client has set.
  private struct ProjectReport: Encodable {
    var project: String
    /// The errors because of which every request of the project's clients fails.
    var errors: [Problem]
    /// A text about further errors, such as `and 7 more`.
    var otherErrors: String?

    init(_ project: String, _ file: RulesFile?) {
      self.project = project
      let (errors, others) = (file?.errors ?? []).shown
      self.errors = errors.map(Problem.init)
      otherErrors = others
    }
  }

  /// The state as JSON.
  var report: some Encodable {
    let state = state.withLock(\.self)
    let (warnings, otherWarnings) = (state.file?.issues(of: .firestore) ?? []).shown
    return Report(
      source: state.file != nil ? "file" : isOff ? "off" : "none",
      file: state.file?.name,
      loaded: state.loaded.map { "\($0)" },
      warnings: warnings.map(Problem.init),
      otherWarnings: otherWarnings,
      failure: state.failure,
      projects: rules.projects.map { ProjectReport($0, rules.file(of: $0)) }
    )
  }
}
