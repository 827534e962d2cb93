package import Core
package import FirestoreModel
import Synchronization

/// The queue of one stream's events, in order, until the stream reads them.
///
/// A listener that doesn't read is cut off when the waiting items are too large.
package final class Listener: Sendable {
  package enum Item: Sendable {
    /// The opening of a target. Later events apply to it.
    case opened(WatchOpening)
    /// The removal of a target, by its number.
    case closed(Int32)
    /// The refusal of a target.
    case refused(Int32, StatusError)
    case event(WatchEvent)
    /// A time up to which nothing happened.
    case quiet(Timestamp)
    /// The end of the items.
    case ended(StatusError?)
  }

  typealias Reader = CheckedContinuation<Void, Never>

  private struct State {
    var items: [Item] = []
    var weight = 0
    var isCut = false
    var reader: Reader?
    /// The time of the last event.
    var time = Timestamp(microseconds: 0)
  }

  /// The bytes that an item counts for beside its documents.
  private static let itemWeight = 256

  private let state = Mutex(State())
  private let maximumWeight: Int

  /// Creates a listener.
  ///
  /// - Parameter maximumWeight: The maximum size of the waiting items, in bytes of documents.
  package init(maximumWeight: Int = 16 << 20) { self.maximumWeight = maximumWeight }

  /// Adds an item, unless it is an event that was added before.
  ///
  /// - Parameter weight: The approximate bytes of the item's documents.
  /// - Returns: The reader to resume, if there is one; and whether the listener still listens.
  func append(_ item: Item, weight: Int = 0) -> (reader: Reader?, isListening: Bool) {
    state.withLock { state in
      guard !state.isCut else { return (nil, false) }
      if case .event(let event) = item {
        // One event may concern several targets, and may have been read already.
        guard event.time > state.time else { return (nil, true) }
        state.time = event.time
      }
      state.items.append(item)
      state.weight += Self.itemWeight + weight
      if state.weight > maximumWeight {
        state.isCut = true
        state.items = []
      }
      return (state.reader.take(), !state.isCut)
    }
  }

  /// Adds an item that comes from the stream itself.
  package func enqueue(_ item: Item) { append(item).reader?.resume() }

  /// Returns all waiting items, and waits for at least one. It allows one reader at a time.
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
