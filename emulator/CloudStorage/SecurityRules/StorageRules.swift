package import Core
package import Rules
import Synchronization

/// The security rules of the buckets. They can be replaced at any time. Without rules, all objects
/// are open.
package final class StorageRules: Sendable {
  /// The rules in firebase.json.
  package struct Configured: Sendable {
    package var byBucket: [ByteKey: RulesFile] = [:]
    /// The rules of all other buckets.
    package var others: RulesFile?

    package init() {}
  }

  private struct State {
    var configured: Configured
    /// The rules that a client has set, which hold for all buckets.
    var own: RulesFile?
  }

  private let state: Mutex<State>

  package init(_ configured: Configured = Configured()) {
    state = Mutex(State(configured: configured))
  }

  /// Returns the rules of a bucket, or `nil` if its objects are open.
  package func file(of bucket: String) -> RulesFile? {
    state.withLock { $0.own ?? $0.configured.byBucket[ByteKey(bucket)] ?? $0.configured.others }
  }

  /// A Boolean value that indicates whether a client has set rules, which hold for all buckets.
  package var hasOwnRules: Bool { state.withLock { $0.own != nil } }

  /// Replaces the rules of the configuration. Those that a client has set stay.
  package func replace(_ configured: Configured) { state.withLock { $0.configured = configured } }

  /// Sets the rules of all buckets, until the emulator ends.
  ///
  /// - Throws: `INVALID_ARGUMENT` with the errors if the rules don't compile.
  func set(_ file: RulesFile) throws(StatusError) {
    if let error = file.errors.first {
      let place = error.range.map { ":\($0.line):\($0.column)" } ?? ""
      throw StatusError(.invalidArgument, "\(file.name)\(place): \(error.description)")
    }
    state.withLock { $0.own = file }
  }
}
