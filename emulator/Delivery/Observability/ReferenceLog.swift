import Core
import DequeModule
import FirestoreModel
import FunctionRuntime
import Synchronization

/// The log of writes to Realtime Databases, from which `explain` finds who wrote a node.
final class ReferenceLog: Sendable {
  /// A write at one path.
  struct Entry: Sendable {
    let instance: String
    /// The keys of the write's path; none for the root.
    let path: [String]
    let time: Timestamp
    let author: AuthContext
    /// The invocation that wrote, or `nil` if no function did.
    let invoker: Invoker?
  }

  private static let capacity = 20_000
  /// The maximum number of paths of one write that are kept.
  static let maximumPaths = 100

  private let entries = Mutex<Deque<Entry>>([])

  /// Adds the paths of one write, at most `maximumPaths`.
  func add(_ new: [Entry]) {
    entries.withLock { entries in
      entries.append(contentsOf: new)
      let excess = entries.count - Self.capacity
      if excess > 0 { entries.removeFirst(excess) }
    }
  }

  /// Returns the newest write at, above or below a node, or `nil` if there is none.
  func lastWrite(to ref: String, in instance: String) -> Entry? {
    let keys = ref.keys
    // Writers don't wait for the search.
    let entries = entries.withLock { $0 }
    return entries.last { entry in
      entry.instance.hasSameBytes(as: instance)
        && zip(entry.path, keys).allSatisfy { $0.hasSameBytes(as: $1) }
    }
  }
}

extension String {
  /// The keys of a node's path; none for the root.
  var keys: [String] { isEmpty ? [] : splitAtSlashes }
}
