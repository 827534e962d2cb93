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
    var emulators: RulesFile?
    var projects: [ByteKey: RulesFile] = [:]
    var coverages: ProjectCoverages

    func file(of project: ByteKey) -> RulesFile? { projects[project] ?? emulators }
  }

  /// A store whose listeners the rules apply to.
  private struct AttachedStore {
    weak var store: Store?
  }

  /// The most bytes of all projects' own rules. A compiled ruleset takes about twenty times its text.
  private static let mostBytes = 16 << 20

  /// The requests that the rules have decided on.
  package let requests = RequestLog()

  private let onDebug: @Sendable (String) -> Void
  private let state: Mutex<State>
  private let stores = Mutex<[ObjectIdentifier: AttachedStore]>([:])

  /// Creates the rules.
  ///
  /// - Parameters:
  ///   - file: The emulator's rules, or `nil` if all data is open.
  ///   - coverageLimit: The most projects whose coverage is kept.
  ///   - onDebug: A closure that gets the values that rules give to `debug()`. It is called while
  ///     the store is locked.
  package init(
    _ file: RulesFile? = nil,
    coverageLimit: Int = 1_000,
    onDebug: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.onDebug = onDebug
    state = Mutex(State(emulators: file, coverages: ProjectCoverages(limit: coverageLimit)))
  }

  /// Returns a project's rules, or `nil` if its data is open.
  ///
  /// - Parameter isCounted: A Boolean value that indicates whether the coverage counts the decisions,
  ///   and `debug()` has an effect.
  /// - Throws: `INVALID_ARGUMENT` if a client has set rules that don't compile. Then no request of
  ///   the project is answered.
  func rules(of project: String, isCounted: Bool) throws(StatusError) -> ProjectRules? {
    let key = ByteKey(project)
    let (file, coverage) = state.withLock { state -> (RulesFile?, RuleCoverage?) in
      let file = state.file(of: key)
      guard isCounted, let ruleset = file?.ruleset else { return (file, nil) }
      return (file, state.coverages.use(key, ruleset))
    }
    guard let file else { return nil }
    switch file.compiled {
    case .success(let ruleset):
      guard isCounted else { return ProjectRules(ruleset, of: file) }
      return ProjectRules(ruleset, of: file, coverage: coverage, onDebug: onDebug)
    case .failure(let error): throw error.status
    }
  }

  /// Returns the file with a project's rules, or `nil` if its data is open.
  package func file(of project: String) -> RulesFile? {
    state.withLock { $0.file(of: ByteKey(project)) }
  }

  /// The projects whose rules a client has set, in order.
  package var projects: [String] { state.withLock { $0.projects.keys.sorted().map(\.string) } }

  /// Replaces the emulator's rules.
  package func replace(_ file: RulesFile?) {
    state.withLock { state in
      state.emulators = file
      let projects = state.projects
      state.coverages.remove { projects[$0] == nil }
    }
    applyToListeners(of: nil)
  }

  /// Gives a project its own rules, or the emulator's if `file` is `nil`.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` if all projects' own rules would be too large together.
  package func replace(_ file: RulesFile?, of project: String) throws(StatusError) {
    let key = ByteKey(project)
    try state.withLock { state throws(StatusError) in
      var projects = state.projects
      projects[key] = file
      if file != nil, projects.reduce(0, { $0 + $1.value.size }) > Self.mostBytes {
        throw StatusError(
          .resourceExhausted,
          "The rules of \(projects.count) projects have more than \(Self.mostBytes) bytes together. "
            + "Remove some of them first, with DELETE /emulator/v1/projects/{project}:securityRules."
        )
      }
      state.projects = projects
      state.coverages.remove { $0 == key }
    }
    applyToListeners(of: project)
  }

  /// Returns a project's rules and their coverage. Open data has no coverage.
  package func coverage(of project: String) -> (file: RulesFile?, coverage: RuleCoverage?) {
    let key = ByteKey(project)
    let (file, coverage) = state.withLock { ($0.file(of: key), $0.coverages[key]) }
    return (file, coverage ?? file?.ruleset.map { RuleCoverage(of: $0) })
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

extension RulesFile {
  /// The bytes of the text, and a minimum for a file without one.
  var size: Int { 1_024 + name.utf8.count + content.utf8.count }
}

extension CompilationError {
  /// The error in the words of Google's emulator: one line for each error in the text, of which at
  /// most 20 are named.
  var status: StatusError {
    let (errors, others) = errors.shown
    var lines = errors.map {
      "L\($0.range?.line ?? 0):\($0.range?.column ?? 0) \($0.description)"
    }
    if let others { lines.append(others) }
    return StatusError(
      .invalidArgument,
      "Error compiling rules:\n\(lines.joined(separator: "\n"))"
    )
  }
}
