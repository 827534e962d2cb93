import Core
package import FirestoreModel
package import FunctionHost
package import FunctionRuntime
import Store

/// One event on its way to one function.
package struct Delivery: Sendable {
  package enum State: String, Sendable, Codable, CaseIterable {
    /// For its first attempt, or its next one.
    case waiting
    case running, succeeded, skipped
    /// Given up, with what its last attempt left; it can be retried.
    case deadLettered
  }

  /// How many attempts are remembered of a delivery, the newest.
  static let maximumAttemptsKept = 5
  /// What of an attempt's output is remembered, in bytes; longer output is dropped as a whole.
  static let maximumOutputKept = 256 << 10

  /// Unique; the id of all its invocations.
  package let id: String
  package let function: String
  package private(set) var event: DocumentEvent
  /// The functions that led to the change, the first to run first; empty if none did.
  package let lineage: [Invoker]
  package let recorded: Timestamp
  package var state = State.waiting
  /// The newest ones, in order.
  package var attempts: [DeliveryAttempt] = []
  package var attemptCount = 0
  /// How many of its invocations chaos has killed.
  package var kills = 0
  /// When a waiting delivery is tried again.
  package var nextAttempt: Timestamp?
  /// How many attempts somebody's retry of a dead letter doesn't count any more.
  var pardoned = 0
  /// When somebody asked for that retry.
  var retried: Timestamp?

  package init(
    id: String,
    function: String,
    event: DocumentEvent,
    lineage: [Invoker],
    recorded: Timestamp
  ) {
    self.id = id
    self.function = function
    self.event = event
    self.lineage = lineage
    self.recorded = recorded
  }

  /// The delivery or call whose function wrote the change, if one did.
  package var cause: String? { lineage.last?.invocation }
  /// What the last attempt left.
  package var result: InvocationResult? { attempts.last?.result }
  package var started: Timestamp? { attempts.last?.started }
  package var duration: Duration? { attempts.last?.duration }

  package var isEnded: Bool {
    switch state {
    case .waiting, .running: false
    case .succeeded, .skipped, .deadLettered: true
    }
  }

  /// About how much it takes to remember it.
  var bytes: Int {
    [event.value, event.oldValue].reduce(result?.line.count ?? 0) { sum, document in
      sum + (document.map(DocumentLimits.size) ?? 0)
    }
  }

  /// What a list shows of it: neither documents nor what was printed.
  var withoutDocuments: Delivery {
    var delivery = self
    (delivery.event.value, delivery.event.oldValue) = (nil, nil)
    for index in delivery.attempts.indices { delivery.attempts[index].result?.line = .init() }
    return delivery
  }

  /// This delivery as what caused a change.
  var asInvoker: [Invoker] {
    lineage + [Invoker(function: function, invocation: id, document: event.document)]
  }

  mutating func begin(_ attempt: DeliveryAttempt) {
    state = .running
    nextAttempt = nil
    attemptCount = attempt.number
    attempts = attempts.suffix(Self.maximumAttemptsKept - 1) + [attempt]
    for index in attempts.indices.dropLast() { attempts[index].result?.line = .init() }
  }

  /// - Parameter next: when it is tried again; nil ends it.
  mutating func end(_ result: InvocationResult, at now: Timestamp, next: Timestamp?) {
    var result = result
    if result.line.count > Self.maximumOutputKept { result.line = .init() }
    if attempts.isEmpty { attempts = [DeliveryAttempt(number: 0, started: now, traceparent: "")] }
    let last = attempts.count - 1
    attempts[last].duration = now.duration(since: attempts[last].started)
    attempts[last].result = result
    nextAttempt = next
    state =
      switch result.status {
      case .ok: .succeeded
      case .skipped: .skipped
      case .error: next == nil ? .deadLettered : .waiting
      }
  }
}

/// A function at work, as the cause of a change.
package struct Invoker: Sendable, Hashable, Codable {
  package let function: String
  /// The delivery's id, or the call's.
  package let invocation: String
  /// What woke it; nil for a call.
  package let document: DocumentName?
  /// Optional, as deliveries in older journals don't say it.
  private var presumed: Bool?

  package init(function: String, invocation: String, document: DocumentName?) {
    self.function = function
    self.invocation = invocation
    self.document = document
  }

  /// A Boolean value that indicates whether the function wrote without a trace context of its
  /// invocation, so that another of its invocations may have caused the change.
  var isPresumed: Bool {
    get { presumed ?? false }
    set { presumed = newValue ? true : nil }
  }
}
