package import Core
package import Rules
import Synchronization

/// The security rules of the emulator's projects. They can be replaced at any time.
///
/// A project has its own rules once a client has set them; until then the emulator's rules hold. If
/// there are none, all data is open.
package final class SecurityRules: Sendable {
  private struct State {
    var emulators: Ruleset?
    var projects: [String: Ruleset] = [:]
  }

  private let state: Mutex<State>

  package init(_ ruleset: Ruleset? = nil) { state = Mutex(State(emulators: ruleset)) }

  /// Returns a project's rules, or `nil` if its data is open.
  package func ruleset(of project: String) throws(StatusError) -> Ruleset? {
    state.withLock { $0.projects[project] ?? $0.emulators }
  }

  /// Replaces the rules of a project or, if `project` is `nil`, the emulator's rules.
  package func replace(_ ruleset: Ruleset?, of project: String? = nil) {
    state.withLock { state in
      if let project { state.projects[project] = ruleset } else { state.emulators = ruleset }
    }
  }
}
