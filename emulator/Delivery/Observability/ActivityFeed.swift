import Core
import DequeModule
import FunctionHost
import Synchronization

/// The feed of the emulator's activity: deliveries, calls, logs and pushes. Without subscriptions,
/// publishing costs almost nothing.
package final class ActivityFeed: Sendable {
  /// A topic to subscribe to.
  package enum Topic: String, Sendable, Codable, CaseIterable {
    case deliveries, calls, logs, pushes
  }

  /// A change of a delivery or call, a log line, or a push.
  package enum Occurrence: Sendable {
    /// A new delivery, or one whose state has changed.
    case delivery(Delivery)
    /// A call that has begun or ended.
    case call(FunctionCall)
    case log(LogStore.Entry)
    /// A push that a phone received, encoded as in FCM's fake.
    case push(any Encodable & Sendable)

    package var topic: Topic {
      switch self {
      case .delivery: .deliveries
      case .call: .calls
      case .log: .logs
      case .push: .pushes
      }
    }

    /// The id of the delivery or call, or `nil` for a log line or a push. If several occurrences
    /// have the same id, only the newest one is kept.
    fileprivate var subject: String? {
      switch self {
      case .delivery(let delivery): delivery.id
      case .call(let call): call.id
      case .log, .push: nil
      }
    }

    /// The approximate size in memory, in bytes.
    fileprivate var bytes: Int {
      switch self {
      case .log(let entry): 256 + entry.bytes
      case .call(let call): 256 + call.event.count + (call.result?.line.count ?? 0)
      // A push has at most 4 KiB.
      case .delivery, .push: 4_096
      }
    }
  }

  private struct State {
    var subscriptions: [Int: Subscription] = [:]
    var count = 0
  }

  private let hasSubscriptions = Atomic(false)
  private let state = Mutex(State())

  package init() {}

  /// Creates a subscription.
  package func subscribe() -> Subscription {
    state.withLock { state in
      state.count += 1
      let subscription = Subscription(number: state.count)
      state.subscriptions[state.count] = subscription
      hasSubscriptions.store(true, ordering: .releasing)
      return subscription
    }
  }

  /// Ends a subscription.
  package func unsubscribe(_ subscription: Subscription) {
    state.withLock { state in
      state.subscriptions[subscription.number] = nil
      hasSubscriptions.store(!state.subscriptions.isEmpty, ordering: .releasing)
    }
  }

  /// Publishes an occurrence to all subscriptions.
  ///
  /// - Parameter occurrence: The occurrence, which is evaluated only if there is a subscription.
  package func publish(_ occurrence: @autoclosure () -> Occurrence?) {
    guard hasSubscriptions.load(ordering: .acquiring), let occurrence = occurrence() else { return }
    for subscription in state.withLock({ Array($0.subscriptions.values) }) {
      subscription.append(occurrence)
    }
  }
}

extension ActivityFeed {
  /// A bounded queue of the occurrences that a subscriber hasn't read yet. It keeps only the newest
  /// state of each delivery and call.
  package final class Subscription: Sendable {
    /// The occurrences since the last read, in order.
    package struct News: Sendable {
      package var occurrences: [Occurrence] = []
      /// The number of further occurrences that were dropped.
      package var lost = 0
    }

    private struct State {
      var topics: Set<Topic> = []
      var occurrences: Deque<Occurrence> = []
      /// The positions of occurrences with a subject, counted from the subscription's first
      /// occurrence.
      var places: [String: Int] = [:]
      /// The number of occurrences that were read or dropped.
      var removed = 0
      /// The number of occurrences dropped since the last read.
      var lost = 0
      var bytes = 0
      var reader: CheckedContinuation<Void, Never>?

      mutating func add(_ occurrence: Occurrence) {
        if let subject = occurrence.subject {
          if let place = places[subject], place >= removed {
            bytes += occurrence.bytes - occurrences[place - removed].bytes
            occurrences[place - removed] = occurrence
            return
          }
          places[subject] = removed + occurrences.count
        }
        occurrences.append(occurrence)
        bytes += occurrence.bytes
        while occurrences.count > Subscription.maximumCount || bytes > Subscription.maximumBytes {
          guard let first = occurrences.popFirst() else { return }
          if let subject = first.subject { places[subject] = nil }
          bytes -= first.bytes
          removed += 1
          lost += 1
        }
      }
    }

    private static let maximumCount = 2_000
    private static let maximumBytes = 16 << 20

    fileprivate let number: Int
    private let state = Mutex(State())

    fileprivate init(number: Int) { self.number = number }

    /// The topics that the subscription receives from now on.
    package var topics: Set<Topic> {
      get { state.withLock(\.topics) }
      set { state.withLock { $0.topics = newValue } }
    }

    fileprivate func append(_ occurrence: Occurrence) {
      let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard state.topics.contains(occurrence.topic) else { return nil }
        state.add(occurrence)
        return state.reader.take()
      }
      reader?.resume()
    }

    /// Waits until there are occurrences, and returns them all. Only one reader may wait at a time.
    ///
    /// - Returns: The occurrences; empty if the task is cancelled.
    package func next() async -> News {
      while true {
        let news = state.withLock { state in
          defer {
            state.removed += state.occurrences.count
            (state.occurrences, state.places, state.lost, state.bytes) = ([], [:], 0, 0)
          }
          return News(occurrences: Array(state.occurrences), lost: state.lost)
        }
        if !news.occurrences.isEmpty || Task.isCancelled { return news }
        await wait()
      }
    }

    private func wait() async {
      await waitUnlessCancelled { reader in
        state.withLock { state in
          guard state.occurrences.isEmpty, !Task.isCancelled else { return false }
          state.reader = reader
          return true
        }
      } takeBack: {
        self.state.withLock { $0.reader.take() }
      }
    }
  }
}
