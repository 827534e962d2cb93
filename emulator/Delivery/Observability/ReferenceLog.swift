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
    /// The path of the write, without a slash at its start; empty for the root.
    let path: String
    let time: Timestamp
    let author: AuthContext
    /// The invocation that wrote, or `nil` if no function did.
    let invoker: Invoker?
  }

  private static let capacity = 20_000
  /// The maximum number of paths of one write that are kept.
  private static let maximumPaths = 100

  private let entries = Mutex<Deque<Entry>>([])

  /// Adds the paths of one write.
  func add(_ new: [Entry]) {
    entries.withLock { entries in
      entries.append(contentsOf: new.prefix(Self.maximumPaths))
      let excess = entries.count - Self.capacity
      if excess > 0 { entries.removeFirst(excess) }
    }
  }

  /// Returns the newest write at, above or below a node, or `nil` if there is none.
  func lastWrite(to ref: String, in instance: String) -> Entry? {
    let segments = ref.pathSegments
    return entries.withLock { entries in
      entries.last { entry in
        guard entry.instance.hasSameBytes(as: instance) else { return false }
        return zip(entry.path.pathSegments, segments).allSatisfy { $0.hasSameBytes(as: $1) }
      }
    }
  }
}

extension String {
  /// The parts between the slashes of a path; none for the root.
  var pathSegments: [String] { isEmpty ? [] : splitAtSlashes }
}
