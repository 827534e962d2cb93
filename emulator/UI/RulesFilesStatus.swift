package import Core
package import FirestoreModel
import Synchronization

/// The state of the rules of the Realtime Database or of Cloud Storage, which the pages show.
package final class RulesFilesStatus: Sendable {
  /// A file with the rules of one database or bucket, or of all others.
  package struct File: Encodable, Sendable {
    var name: String
    /// The name of the database or bucket, or `nil` for all others.
    var owner: String?

    package init(_ name: String, of owner: String?) {
      self.name = name
      self.owner = owner
    }
  }

  struct Report: Encodable {
    /// `file`; `off` if all data is open on purpose; `none` if nothing names rules.
    var source: String
    var files: [File]
    /// When the rules in force were loaded.
    var loaded: String?
    /// Why a changed file isn't used.
    var failure: RulesFailure?
  }

  private let files: [File]
  private let isOff: Bool
  private let now: @Sendable () -> Timestamp
  private let state: Mutex<(loaded: Timestamp, failure: RulesFailure?)>

  /// Creates the state at the start.
  ///
  /// - Parameters:
  ///   - files: The files that are loaded, or none if all data is open.
  ///   - isOff: A Boolean value that indicates whether all data is open on purpose.
  package init(files: [File], isOff: Bool, now: @escaping @Sendable () -> Timestamp) {
    self.files = files
    self.isOff = isOff
    self.now = now
    state = Mutex((now(), nil))
  }

  /// Records that a changed file is in force.
  package func loaded() {
    let now = now()
    state.withLock { $0 = (now, nil) }
  }

  /// Records that a changed file can't be used.
  package func failed(_ error: StatusError) {
    let failure = RulesFailure(error, at: now())
    state.withLock { $0.failure = failure }
  }

  var report: Report {
    let (loaded, failure) = state.withLock(\.self)
    return Report(
      source: !files.isEmpty ? "file" : isOff ? "off" : "none",
      files: files,
      loaded: files.isEmpty ? nil : "\(loaded)",
      failure: failure
    )
  }
}

/// Why a changed file with rules isn't used.
struct RulesFailure: Encodable {
  var time: String
  var message: String

  init(_ error: StatusError, at time: Timestamp) {
    self.time = "\(time)"
    message = error.message
  }
}
