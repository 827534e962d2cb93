package import Core
package import Rules
import Store
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

  /// A store whose listeners the rules apply to.
  private struct AttachedStore {
    weak var store: Store?
  }

  private let state: Mutex<State>
  private let stores = Mutex<[ObjectIdentifier: AttachedStore]>([:])

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
    applyToListeners(of: project)
  }

  // MARK: Listeners

  /// Applies the rules to a store's listeners whenever the rules are replaced.
  func attach(_ store: Store) {
    stores.withLock { stores in
      stores = stores.filter { $0.value.store != nil }
      stores[ObjectIdentifier(store)] = AttachedStore(store: store)
    }
  }

  /// Decides anew on the targets of all listeners. No target outlives rules that deny it.
  private func applyToListeners(of project: String?) {
    let attached = stores.withLock { $0.values.compactMap(\.store) }
    for store in attached { store.repeatWatchChecks(of: project) }
  }
}
