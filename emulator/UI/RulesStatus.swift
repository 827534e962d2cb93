package import Core
package import FirestoreAPI
package import FirestoreModel
import Rules
import Synchronization

/// The state of the emulator's security rules, which the Status page shows.
package final class RulesStatus: Sendable {
  /// Where the rules come from.
  package enum Source: String, Encodable, Sendable {
    /// Nothing names rules: all data is open.
    case none
    /// All data is open on purpose.
    case off
    /// A file, which is watched.
    case file
  }

  private struct State {
    var file: RulesFile?
    var loaded: Timestamp?
    var failure: Failure?
  }

  /// Why a changed file isn't used.
  private struct Failure: Encodable {
    var time: String
    var message: String
  }

  private let source: Source
  private let rules: SecurityRules
  private let now: @Sendable () -> Timestamp
  private let state: Mutex<State>

  /// Creates the state at the start.
  ///
  /// - Parameters:
  ///   - rules: The rules of all projects.
  ///   - file: The file that is loaded, or `nil` if the source is none.
  package init(
    _ source: Source,
    rules: SecurityRules,
    file: RulesFile?,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.source = source
    self.rules = rules
    self.now = now
    state = Mutex(State(file: file, loaded: file.map { _ in now() }))
  }

  /// The file whose rules are in force, or `nil` if there is none.
  package var file: RulesFile? { state.withLock(\.file) }

  /// Records that the rules of a file are in force.
  package func loaded(_ file: RulesFile) {
    let now = now()
    state.withLock { $0 = State(file: file, loaded: now) }
  }

  /// Records that the changed file can't be used.
  package func failed(_ error: StatusError) {
    let now = now()
    state.withLock { $0.failure = Failure(time: "\(now)", message: error.message) }
  }

  private struct Report: Encodable {
    struct Warning: Encodable {
      var line: Int?
      var column: Int?
      var text: String
    }

    var source: Source
    /// The name of the file.
    var file: String?
    /// When the rules in force were loaded.
    var loaded: String?
    var warnings: [Warning]
    var failure: Failure?
    /// The projects whose own rules a client has set.
    var projects: [String]
  }

  /// The state as JSON.
  var report: some Encodable {
    let state = state.withLock(\.self)
    return Report(
      source: source,
      file: state.file?.name,
      loaded: state.loaded.map { "\($0)" },
      warnings: (state.file?.issues ?? []).map {
        .init(line: $0.range?.line, column: $0.range?.column, text: $0.description)
      },
      failure: state.failure,
      projects: rules.projects
    )
  }
}
