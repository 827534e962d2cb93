import DequeModule
import Synchronization

/// An unbuffered channel from several producers to one consumer, with backpressure: a producer
/// waits until its element is processed.
final class RendezvousChannel<Element: Sendable>: Sendable {
  private struct Offer: Sendable {
    var element: Element
    var isTaken: CheckedContinuation<Void, Never>
  }

  private struct State {
    var offers: Deque<Offer> = []
    var taker: CheckedContinuation<Void, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())

  init() {}

  /// Sends an element, and waits until it is processed or the channel is closed.
  func offer(_ element: Element) async {
    await withCheckedContinuation { isTaken in
      let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        guard !state.isClosed else { return [isTaken] }
        state.offers.append(Offer(element: element, isTaken: isTaken))
        defer { state.taker = nil }
        return [state.taker].compactMap(\.self)
      }
      for continuation in waiting { continuation.resume() }
    }
  }

  /// Receives and processes elements until the channel is closed, processing fails, or the task is
  /// cancelled.
  func take(_ deal: (Element) async throws -> Void) async throws {
    defer { close() }
    try await withTaskCancellationHandler {
      while let offer = await next() {
        defer { offer.isTaken.resume() }
        try await deal(offer.element)
      }
    } onCancel: {
      close()
    }
  }

  /// Waits for the next element, or returns `nil` if the channel is closed.
  private func next() async -> Offer? {
    while true {
      let (offer, isClosed) = state.withLock { ($0.offers.popFirst(), $0.isClosed) }
      if offer != nil || isClosed { return offer }
      await withCheckedContinuation { taker in
        let isDue = state.withLock { state in
          if !state.offers.isEmpty || state.isClosed { return true }
          state.taker = taker
          return false
        }
        if isDue { taker.resume() }
      }
    }
  }

  /// Closes the channel, and resumes all waiting producers and the consumer.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { (state.offers, state.taker) = ([], nil) }
      return state.offers.map(\.isTaken) + [state.taker].compactMap(\.self)
    }
    for continuation in waiting { continuation.resume() }
  }
}
