import Core
import Rules
import Store
import Synchronization

/// The security rules of the emulator's projects. They can be replaced at any time.
///
/// A project has its own rules once a client has set them; until then the emulator's rules hold. If
/// there are none, all data is open.
package final class SecurityRules: Sendable {
  private struct State {
    var emulators: RulesFile?
    var projects: [ByteKey: RulesFile] = [:]
    /// The coverage of each project's rules since they were set.
    var coverages: [ByteKey: RuleCoverage] = [:]

    func file(of project: ByteKey) -> RulesFile? { projects[project] ?? emulators }

    mutating func coverage(of project: ByteKey, _ ruleset: Ruleset) -> RuleCoverage? {
      if let coverage = coverages[project] { return coverage }
      guard coverages.count < SecurityRules.coverageLimit else { return nil }
      let coverage = RuleCoverage(of: ruleset)
      coverages[project] = coverage
      return coverage
    }
  }

  /// A store whose listeners the rules apply to.
  private struct AttachedStore {
    weak var store: Store?
  }

  /// The most projects whose coverage is kept.
  private static let coverageLimit = 1_000

  private let onDebug: @Sendable (String) -> Void
  private let state: Mutex<State>
  private let stores = Mutex<[ObjectIdentifier: AttachedStore]>([:])

  /// Creates the rules.
  ///
  /// - Parameters:
  ///   - file: The emulator's rules, or `nil` if all data is open.
  ///   - onDebug: A closure that gets the values that rules give to `debug()`. It is called while
  ///     the store is locked.
  package init(
    _ file: RulesFile? = nil,
    onDebug: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.onDebug = onDebug
    state = Mutex(State(emulators: file))
  }

  /// Returns a project's rules, or `nil` if its data is open.
  ///
  /// - Throws: `INVALID_ARGUMENT` if a client has set rules that don't compile. Then no request of
  ///   the project is answered.
  func rules(of project: String) throws(StatusError) -> ProjectRules? {
    let key = ByteKey(project)
    let (file, coverage) = state.withLock { state in
      let file = state.file(of: key)
      return (file, file?.ruleset.flatMap { state.coverage(of: key, $0) })
    }
    switch file?.compiled {
    case nil: return nil
    case .success(let ruleset)?:
      return ProjectRules(ruleset, coverage: coverage, onDebug: onDebug)
    case .failure(let error)?: throw error.status
    }
  }

  /// Returns the file with a project's rules, or `nil` if its data is open.
  package func file(of project: String) -> RulesFile? {
    state.withLock { $0.file(of: ByteKey(project)) }
  }

  /// The projects whose rules a client has set, in order.
  package var projects: [String] { state.withLock { $0.projects.keys.sorted().map(\.string) } }

  /// Replaces the rules of a project or, if `project` is `nil`, the emulator's rules.
  package func replace(_ file: RulesFile?, of project: String? = nil) {
    state.withLock { state in
      if let project {
        let key = ByteKey(project)
        state.projects[key] = file
        state.coverages[key] = nil
      } else {
        state.emulators = file
        state.coverages = state.coverages.filter { state.projects[$0.key] != nil }
      }
    }
    applyToListeners(of: project)
  }

  /// Returns a project's rules and their coverage. Open data has no coverage.
  func coverage(of project: String) -> (file: RulesFile?, coverage: RuleCoverage?) {
    let key = ByteKey(project)
    return state.withLock { state in
      let file = state.file(of: key)
      return (file, file?.ruleset.flatMap { state.coverage(of: key, $0) })
    }
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

extension CompilationError {
  /// The error in the words of Google's emulator: one line for each error in the text.
  var status: StatusError {
    let lines = issues.filter { $0.severity == .error }
      .map { "L\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.description)" }
    return StatusError(
      .invalidArgument,
      "Error compiling rules:\n\(lines.joined(separator: "\n"))"
    )
  }
}
