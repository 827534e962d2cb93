import DequeModule
import FunctionHost
import Synchronization

/// What happens in the emulator, told to those who look on. Costs next to nothing while nobody does.
package final class ActivityFeed: Sendable {
  /// What one may look on at.
  package enum Topic: String, Sendable, Codable, CaseIterable {
    case deliveries, calls, logs, pushes
  }

  package enum Occurrence: Sendable {
    /// One that is new, or stands differently now.
    case delivery(Delivery)
    /// One that has begun, or ended.
    case call(FunctionCall)
    case log(LogStore.Entry)
    /// A push that a phone got, as the inbox lists it.
    case push(any Encodable & Sendable)

    package var topic: Topic {
      switch self {
      case .delivery: .deliveries
      case .call: .calls
      case .log: .logs
      case .push: .pushes
      }
    }

    /// Of two with the same, only the newer is of interest.
    fileprivate var subject: String? {
      switch self {
      case .delivery(let delivery): delivery.id
      case .call(let call): call.id
      case .log, .push: nil
      }
    }

    /// About how much it takes to keep it for one who doesn't read.
    fileprivate var bytes: Int {
      switch self {
      case .log(let entry): 256 + entry.bytes
      case .call(let call): 256 + call.event.count + (call.result?.line.count ?? 0)
      // A push has four KiB at most.
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

  /// Begins to look on.
  package func subscribe() -> Subscription {
    state.withLock { state in
      state.count += 1
      let subscription = Subscription(number: state.count)
      state.subscriptions[state.count] = subscription
      hasSubscriptions.store(true, ordering: .releasing)
      return subscription
    }
  }

  package func unsubscribe(_ subscription: Subscription) {
    state.withLock { state in
      state.subscriptions[subscription.number] = nil
      hasSubscriptions.store(!state.subscriptions.isEmpty, ordering: .releasing)
    }
  }

  /// - Parameter happening: is made only if somebody looks on.
  package func publish(_ happening: @autoclosure () -> Occurrence?) {
    guard hasSubscriptions.load(ordering: .acquiring), let happening = happening() else { return }
    for subscription in state.withLock({ Array($0.subscriptions.values) }) {
      subscription.append(happening)
    }
  }
}

extension ActivityFeed {
  /// What one looker-on hasn't read yet: of each delivery the newest state, and no more of anything
  /// than a screen could show.
  package final class Subscription: Sendable {
    /// What has happened since the last reading, in order.
    package struct News: Sendable {
      package var happenings: [Occurrence] = []
      /// How many more there were, which nobody will tell.
      package var lost = 0
    }

    private struct State {
      var topics: Set<Topic> = []
      var happenings: Deque<Occurrence> = []
      /// Of those with a subject, the place: counted from the first there ever was.
      var places: [String: Int] = [:]
      var removed = 0
      var lost = 0
      var bytes = 0
      var reader: CheckedContinuation<Void, Never>?

      mutating func add(_ happening: Occurrence) {
        if let subject = happening.subject {
          if let place = places[subject], place >= removed {
            bytes += happening.bytes - happenings[place - removed].bytes
            happenings[place - removed] = happening
            return
          }
          places[subject] = removed + happenings.count
        }
        happenings.append(happening)
        bytes += happening.bytes
        while happenings.count > Subscription.maximumCount || bytes > Subscription.maximumBytes {
          guard let first = happenings.popFirst() else { return }
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

    /// Which topics are told of from now on.
    package var topics: Set<Topic> {
      get { state.withLock(\.topics) }
      set { state.withLock { $0.topics = newValue } }
    }

    fileprivate func append(_ happening: Occurrence) {
      let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard state.topics.contains(happening.topic) else { return nil }
        state.add(happening)
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume()
    }

    /// All that waits, when there is something; for one reader at a time.
    ///
    /// - Returns: nothing if the task is cancelled.
    package func next() async -> News {
      while true {
        let news = state.withLock { state in
          defer {
            state.removed += state.happenings.count
            (state.happenings, state.places, state.lost, state.bytes) = ([], [:], 0, 0)
          }
          return News(happenings: Array(state.happenings), lost: state.lost)
        }
        if !news.happenings.isEmpty || Task.isCancelled { return news }
        await wait()
      }
    }

    private func wait() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { reader in
          let isDue = state.withLock { state in
            if !state.happenings.isEmpty || Task.isCancelled { return true }
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
}
