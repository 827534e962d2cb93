package import Core
package import FirestoreModel
import Synchronization

/// The queue of events for one `Listen` stream.
///
/// If the stream reads too slowly and the queue becomes too large, the queue is emptied and the
/// stream gets an error.
package final class Listener: Sendable {
  package enum Item: Sendable {
    /// The initial result of a target that was added to the stream. Later events change this
    /// result.
    case opened(WatchOpening)
    /// The removal of a target from the stream, with the target's number.
    case closed(Int32)
    /// The refusal of a target, with the target's number and the reason.
    case refused(Int32, StatusError)
    /// The removal of a target that no longer passes its check, with the target's number and the
    /// reason. Later events don't concern the target.
    case revoked(Int32, StatusError)
    case event(WatchEvent)
    /// The time up to which the stream has received all changes.
    case quiet(Timestamp)
    /// The end of the stream.
    case ended(StatusError?)
  }

  typealias Reader = CheckedContinuation<Void, Never>

  private struct State {
    var items: [Item] = []
    var weight = 0
    var isCut = false
    var reader: Reader?
    /// The targets whose removal by `revoked` the stream hasn't handled.
    var revoked: Set<Int32> = []
    /// The time of the last event.
    var time = Timestamp(microseconds: 0)
  }

  /// The bytes that an item takes in addition to its documents.
  private static let itemWeight = 256

  private let state = Mutex(State())
  private let maximumWeight: Int

  /// - Parameter maximumWeight: The maximum size of the items in the queue, in bytes.
  package init(maximumWeight: Int = 16 << 20) { self.maximumWeight = maximumWeight }

  /// Adds an item to the queue, unless it is an event that was already added.
  ///
  /// - Parameter weight: The approximate bytes of the item's documents.
  /// - Returns: The waiting reader, which the caller must resume, or `nil` if no reader waits; and
  ///   whether the listener can receive further items.
  func append(_ item: Item, weight: Int = 0) -> (reader: Reader?, isListening: Bool) {
    state.withLock { state in
      guard !state.isCut else { return (nil, false) }
      if case .event(let event) = item {
        // An event that affects several targets is appended once for each of them, perhaps after it
        // has already been read. Keep only the first.
        guard event.time > state.time else { return (nil, true) }
        state.time = event.time
      }
      if case .revoked(let target, _) = item { state.revoked.insert(target) }
      state.items.append(item)
      state.weight += Self.itemWeight + weight
      if state.weight > maximumWeight {
        state.isCut = true
        state.items = []
      }
      return (state.reader.take(), !state.isCut)
    }
  }

  /// Adds an item that the stream itself makes, and resumes the reader.
  package func enqueue(_ item: Item) { append(item).reader?.resume() }

  /// Returns whether a target is removed by an item that the stream hasn't handled.
  package func isRevoked(_ target: Int32) -> Bool {
    state.withLock { $0.revoked.contains(target) }
  }

  /// Records that the stream has handled the removal of a target.
  package func hasRevoked(_ target: Int32) {
    state.withLock { _ = $0.revoked.remove(target) }
  }

  /// Returns all items in the queue, and waits if there are none. Only one task may call it at a
  /// time.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` if the listener was cut off; `CANCELLED` if the task is
  ///   cancelled.
  package func next() async throws(StatusError) -> [Item] {
    while true {
      let items = try state.withLock { state throws(StatusError) in
        guard !state.isCut else {
          throw StatusError(
            .resourceExhausted,
            "The listener reads more slowly than its documents change. Please listen again."
          )
        }
        defer {
          state.items = []
          state.weight = 0
        }
        return state.items
      }
      if !items.isEmpty { return items }
      if Task.isCancelled { throw StatusError(.cancelled, "the listener was cancelled") }
      await wait()
    }
  }

  private func wait() async {
    await waitUnlessCancelled { reader in
      state.withLock { state in
        guard state.items.isEmpty, !state.isCut, !Task.isCancelled else { return false }
        state.reader = reader
        return true
      }
    } takeBack: {
      self.state.withLock { $0.reader.take() }
    }
  }
}
