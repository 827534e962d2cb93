package import Core
package import FirestoreModel
import Synchronization

/// One stream's ear: what happens to its targets waits here, in order, until it is read.
///
/// Who doesn't read is cut off once what waits weighs too much.
package final class Listener: Sendable {
  package enum Item: Sendable {
    /// From here on events count for this target.
    case opened(WatchOpening)
    /// A target was removed, by its number.
    case closed(Int32)
    /// A target was not accepted.
    case refused(Int32, StatusError)
    case event(WatchEvent)
    /// Nothing happened up to this time.
    case quiet(Timestamp)
    /// Nothing follows.
    case ended(StatusError?)
  }

  typealias Reader = CheckedContinuation<Void, Never>

  private struct State {
    var items: [Item] = []
    var weight = 0
    var isCut = false
    var reader: Reader?
    /// That of the last event.
    var time = Timestamp(microseconds: 0)
  }

  /// What an item weighs beside its documents, in bytes.
  private static let itemWeight = 256

  private let state = Mutex(State())
  private let maximumWeight: Int

  /// - Parameter maximumWeight: how much may wait, in bytes of documents.
  package init(maximumWeight: Int = 16 << 20) { self.maximumWeight = maximumWeight }

  /// Takes in what happened; an event that is there already is not taken again.
  ///
  /// - Parameter weight: about how many bytes of documents the item has.
  /// - Returns: the reader, if it is to be woken; and whether the listener still listens.
  func append(_ item: Item, weight: Int = 0) -> (reader: Reader?, isListening: Bool) {
    state.withLock { state in
      guard !state.isCut else { return (nil, false) }
      if case .event(let event) = item {
        // It concerns several targets, and may have been read already.
        guard event.time > state.time else { return (nil, true) }
        state.time = event.time
      }
      state.items.append(item)
      state.weight += Self.itemWeight + weight
      if state.weight > maximumWeight {
        state.isCut = true
        state.items = []
      }
      defer { state.reader = nil }
      return (state.reader, !state.isCut)
    }
  }

  /// Adds what the stream itself has to say.
  package func enqueue(_ item: Item) { append(item).reader?.resume() }

  /// All that waits, at least one item. For one reader at a time.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` if the listener was cut off; `CANCELLED` with the task.
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
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let isDue = state.withLock { state in
          if !state.items.isEmpty || state.isCut || Task.isCancelled { return true }
          state.reader = reader
          return false
        }
        if isDue { reader.resume() }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume()
    }
  }
}
