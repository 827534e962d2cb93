import Core
package import FirestoreModel
package import FunctionHost
package import FunctionRuntime
import Store

/// The delivery of an event to a function, with its attempts.
package struct Delivery: Sendable {
  /// The state of a delivery.
  package enum State: String, Sendable, Codable, CaseIterable {
    /// The delivery waits for its first attempt or its next one.
    case waiting
    case running, succeeded, skipped
    /// The delivery was given up. It keeps its last attempt's result and can be retried.
    case deadLettered
  }

  /// The maximum number of attempts that a delivery keeps; the newest are kept.
  static let maximumAttemptsKept = 5
  /// The maximum size of an attempt's output, in bytes. Longer output is dropped as a whole.
  static let maximumOutputKept = 256 << 10

  /// The unique id. All invocations of the delivery have the same id.
  package let id: String
  package let function: String
  package private(set) var event: ChangeEvent
  /// The kind of the event's change, which a copy without data still has.
  package let change: EventType.Kind
  /// The beginning of the changed document's text, or `nil` if it has none. Lists show it.
  package let excerpt: String?
  /// The invocations that led to the change, the earliest first; empty if no function wrote it.
  package let lineage: [Invoker]
  /// The time when the delivery was recorded.
  package let recorded: Timestamp
  package var state = State.waiting
  /// The newest attempts, in order.
  package var attempts: [DeliveryAttempt] = []
  package var attemptCount = 0
  /// The number of the delivery's invocations that fault injection has killed.
  package var kills = 0
  /// The time of a waiting delivery's next attempt.
  package var nextAttempt: Timestamp?
  /// The number of attempts before the dead letter was last retried. The retry policy doesn't count
  /// them.
  var attemptsBeforeRetry = 0
  /// The time when the dead letter was last retried.
  var retried: Timestamp?

  package init(
    id: String,
    function: String,
    event: ChangeEvent,
    lineage: [Invoker],
    recorded: Timestamp
  ) {
    self.id = id
    self.function = function
    self.event = event
    change = event.change
    excerpt = event.excerpt
    self.lineage = lineage
    self.recorded = recorded
  }

  /// The id of the delivery or call whose function wrote the change, or `nil` if no function did.
  package var cause: String? { lineage.last?.invocation }
  /// The result of the last attempt.
  package var result: InvocationResult? { attempts.last?.result }
  /// The error of the last attempt, as text.
  package var failure: String { result?.error.map(String.init(describing:)) ?? "no result" }
  package var started: Timestamp? { attempts.last?.started }
  package var duration: Duration? { attempts.last?.duration }

  /// A Boolean value that indicates whether the delivery has succeeded, was skipped or was given
  /// up.
  package var isEnded: Bool {
    switch state {
    case .waiting, .running: false
    case .succeeded, .skipped, .deadLettered: true
    }
  }

  /// The approximate size in memory, in bytes.
  var bytes: Int {
    (result?.line.count ?? 0) + event.bytes
  }

  /// A copy without data and output, for lists.
  var withoutData: Delivery {
    var delivery = self
    delivery.event = delivery.event.withoutData
    for index in delivery.attempts.indices { delivery.attempts[index].result?.line = .init() }
    return delivery
  }

  /// The lineage of changes that this delivery's function writes: `lineage`, then this delivery.
  var asInvoker: [Invoker] {
    lineage + [Invoker(function: function, invocation: id, resource: event.resource)]
  }

  /// Begins an attempt, and drops the output of earlier attempts.
  mutating func begin(_ attempt: DeliveryAttempt) {
    state = .running
    nextAttempt = nil
    attemptCount = attempt.number
    attempts = attempts.suffix(Self.maximumAttemptsKept - 1) + [attempt]
    for index in attempts.indices.dropLast() { attempts[index].result?.line = .init() }
  }

  /// Ends an attempt.
  ///
  /// - Parameter next: The time of the next attempt, or `nil` if this one was the last.
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

/// An invocation of a function that caused a change.
package struct Invoker: Sendable, Hashable, Codable {
  package let function: String
  /// The id of the delivery or the call.
  package let invocation: String
  /// The full name of the document, node or object whose change triggered the function, or `nil` for a call.
  package let resource: String?
  /// The encoded form of `isPresumed`: `true`, or `nil` for `false`. Older journals lack the field.
  private var presumed: Bool?

  private enum CodingKeys: String, CodingKey {
    case function, invocation, presumed
    // The key of journals that knew only documents.
    case resource = "document"
  }

  package init(function: String, invocation: String, resource: String?) {
    self.function = function
    self.invocation = invocation
    self.resource = resource
  }

  /// A Boolean value that indicates whether the function wrote without a trace context.
  ///
  /// If so, the invocation is a guess: another invocation of the function may have written the
  /// change.
  var isPresumed: Bool {
    get { presumed ?? false }
    set { presumed = newValue ? true : nil }
  }
}

extension ChangeEvent {
  /// The maximum length of `excerpt`, in Unicode scalars.
  private static let maximumExcerpt = 200

  /// The beginning of the document's field `text`, which a message has, or `nil` if it has none. Of
  /// a deleted document it is the last text.
  fileprivate var excerpt: String? {
    guard case .document(let event) = self,
      let text = (event.value ?? event.oldValue)?.fields["text"]?.stringValue
    else { return nil }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.maximumExcerpt)))
  }

  /// The approximate size of the event's data in memory, in bytes.
  fileprivate var bytes: Int {
    switch self {
    case .document(let event):
      [event.value, event.oldValue].reduce(0) { $0 + ($1.map(DocumentLimits.size) ?? 0) }
    case .reference(let event): event.data.approximateBytes + event.delta.approximateBytes
    case .object(let event): JSONValue.object(event.data).approximateBytes
    }
  }

  /// A copy without the data.
  fileprivate var withoutData: ChangeEvent {
    switch self {
    case .document(var event):
      (event.value, event.oldValue) = (nil, nil)
      return .document(event)
    case .reference(var event):
      (event.data, event.delta) = (.null, .null)
      return .reference(event)
    case .object(var event):
      event.data = [:]
      return .object(event)
    }
  }
}

extension JSONValue {
  fileprivate var approximateBytes: Int {
    switch self {
    case .null, .boolean, .integer, .number: 16
    case .string(let text): 16 + text.utf8.count
    case .array(let elements): elements.reduce(16) { $0 + $1.approximateBytes }
    case .object(let members):
      members.reduce(16) { $0 + $1.key.utf8.count + $1.value.approximateBytes }
    }
  }
}
