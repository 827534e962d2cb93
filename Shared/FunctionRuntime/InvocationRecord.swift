import Synchronization

/// The usage, writes and latencies of an invocation so far. The reply reports the usage and the
/// writes, even if the invocation fails.
package final class InvocationRecord: Sendable {
  /// The invocation's sums of provider requests, tokens and costs. Costs are in millionths of a US
  /// dollar.
  package struct Usage: Sendable, Hashable, Codable {
    /// The names of the engines that produced texts, sorted. An example is `nmt`; the emulator's
    /// engines have other names.
    package var engines: [String] = []
    package var providerCalls = 0
    package var cacheHits = 0
    package var cacheMisses = 0
    /// The number of translations returned, whether from the cache or new, or `nil` if there were
    /// none. It can be less than the sum of hits and misses, because a translation may be refused.
    package var translationsServed: Int?
    /// The number of devices that a message's push was sent to, or `nil` if there were none. Pushes
    /// that only set the number on the app's icon don't count.
    package var pushesSent: Int?
    /// The number of messages whose push was opened for the first time, or `nil` if there were none.
    package var pushesOpened: Int?
    package var charactersBilled = 0
    package var promptTokens = 0
    package var completionTokens = 0
    /// The total cost of the engines whose price is known, in millionths of a US dollar.
    package var costMicros = 0
    /// The engines whose price is unknown, sorted, or `nil` if there are none.
    package var unpricedEngines: [String]?

    package init() {}

    package mutating func add(engine: String) {
      guard !engines.contains(engine) else { return }
      engines = (engines + [engine]).sorted()
    }

    package mutating func serve(translations count: Int) {
      guard count > 0 else { return }
      translationsServed = (translationsServed ?? 0) + count
    }

    package mutating func send(pushes count: Int) {
      guard count > 0 else { return }
      pushesSent = (pushesSent ?? 0) + count
    }

    package mutating func open(pushes count: Int) {
      guard count > 0 else { return }
      pushesOpened = (pushesOpened ?? 0) + count
    }

    /// Adds a cost.
    ///
    /// - Parameter micros: The cost in millionths of a US dollar, or `nil` if the price is unknown.
    package mutating func charge(_ micros: Int?, by engine: String) {
      if let micros {
        costMicros += micros
      } else if unpricedEngines?.contains(engine) != true {
        unpricedEngines = ((unpricedEngines ?? []) + [engine]).sorted()
      }
    }
  }

  /// A change of a document.
  package struct Write: Sendable, Hashable, Codable {
    package enum Operation: String, Sendable, Codable { case create, set, update, delete }

    /// The document's path, without the database's name and `documents/`.
    package var document: String
    package var operation: Operation

    package init(document: String, operation: Operation) {
      self.document = document
      self.operation = operation
    }
  }

  private struct State {
    var usage = Usage()
    var writes: [Write] = []
    var latencies = MessageLatencies()
  }

  private let state = Mutex(State())

  package init() {}

  package var usage: Usage { state.withLock(\.usage) }
  package var writes: [Write] { state.withLock(\.writes) }
  package var latencies: MessageLatencies { state.withLock(\.latencies) }

  package func record(_ change: (inout Usage) -> Void) {
    state.withLock { change(&$0.usage) }
  }

  package func record(writes: [Write]) {
    state.withLock { $0.writes += writes }
  }

  package func record(_ step: MessageLatencies.Step, after duration: Duration) {
    state.withLock { $0.latencies.note(step, after: duration) }
  }
}
