import Core
import Delivery
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Providers
import Services
import Store

/// A builder of traces from the dispatcher's logs.
struct TraceBuilder {
  private static let maximumNodes = 500
  /// The maximum number of log entries of an attempt or a call.
  private static let maximumLogs = 200
  /// The maximum size of all documents and bodies together.
  private static let maximumBytes = 4 << 20

  private let dispatcher: Dispatcher
  private let prices: PriceTable?
  /// The writes by their event's id.
  let writes: [String: WriteLog.Entry]
  /// The writes by the id of the invocation that wrote them.
  private let writesOf: [String: [WriteLog.Entry]]
  /// The changes of objects by their event's id.
  let objects: [String: ObjectLog.Entry]
  /// The changes of objects by the id of the invocation that made them.
  private let objectsOf: [String: [ObjectLog.Entry]]
  /// The requests to providers by the invocation's id.
  private let providerCallsOf: [String: [ProviderCall]]
  /// The deliveries by their event's id.
  private let deliveriesOf: [String: [Delivery]]
  /// The log entries by the invocation's id.
  private let logsOf: [String: [LogStore.Entry]]
  private var trace: Trace
  /// The ids of added nodes, and of events whose cause was looked up.
  private var seen: Set<String> = []
  private var bytes = 0

  init(_ dispatcher: Dispatcher, prices: PriceTable?) {
    self.dispatcher = dispatcher
    self.prices = prices
    let entries = dispatcher.writes.entries
    writes = Dictionary(entries.map { ($0.eventID, $0) }) { $1 }
    writesOf = Dictionary(grouping: entries) { $0.invoker?.invocation ?? "" }
    let objectEntries = dispatcher.objects.entries
    objects = Dictionary(objectEntries.map { ($0.eventID, $0) }) { $1 }
    objectsOf = Dictionary(grouping: objectEntries) { $0.invoker?.invocation ?? "" }
    providerCallsOf = Dictionary(grouping: dispatcher.providerCalls.all, by: \.invocation)
    deliveriesOf = Dictionary(grouping: dispatcher.deliveries, by: \.event.id)
    logsOf = Dictionary(grouping: dispatcher.logs.entries()) { $0.invocationId ?? "" }
    trace = Trace(subject: "", started: .now)
  }

  /// Builds a trace, or returns `nil` if the id is unknown.
  ///
  /// - Parameter id: The id of an event, a delivery or a call.
  mutating func build(_ id: String) -> Trace? {
    var root: Root
    if let delivery = dispatcher.delivery(id) {
      root = .event(delivery.event.id)
      trace.subject = Self.node(delivery)
    } else if let call = dispatcher.calls[id] {
      root = .call(call)
      trace.subject = Self.node(call)
    } else if writes[id] != nil || objects[id] != nil || deliveriesOf[id] != nil {
      root = .event(id)
      trace.subject = Self.node(event: id)
    } else {
      return nil
    }
    while let cause = cause(of: root) { root = cause }
    switch root {
    case .call(let call):
      trace.started = call.started
      add(call)
    case .event(let id):
      trace.started = time(ofEvent: id) ?? .now
      // All writes of the same commit are roots, since they have the same cause.
      let commit = writes[id].map { write in
        writesOf[write.invoker?.invocation ?? "", default: []].filter {
          $0.time == write.time && $0.document.database == write.document.database
        }
      }
      for event in commit?.map(\.eventID) ?? [id] { add(event: event, below: nil) }
    }
    return trace
  }

  // MARK: Causes

  /// The root of a trace.
  private enum Root {
    case event(String)
    case call(FunctionCall)
  }

  /// Returns the event or call that led to an event, or `nil` if there is none.
  private mutating func cause(of root: Root) -> Root? {
    guard case .event(let id) = root, seen.insert("cause of \(id)").inserted,
      let invocation = writes[id]?.invoker?.invocation ?? objects[id]?.invoker?.invocation
        ?? deliveriesOf[id]?.first?.cause
    else { return nil }
    if let call = dispatcher.calls[invocation] { return .call(call) }
    return dispatcher.delivery(invocation).map { .event($0.event.id) }
  }

  // MARK: Effects

  private static func node(_ delivery: Delivery) -> String { "delivery-\(delivery.id)" }
  private static func node(_ call: FunctionCall) -> String { "call-\(call.id)" }
  private static func node(event id: String) -> String { "event-\(id)" }

  /// Adds a node if the trace doesn't have it yet and isn't full.
  ///
  /// - Returns: Whether the node was added.
  private mutating func add(_ node: Trace.Node) -> Bool {
    guard seen.insert(node.id).inserted else { return false }
    guard trace.nodes.count < Self.maximumNodes else {
      trace.isShortened = true
      return false
    }
    trace.nodes.append(node)
    return true
  }

  private func node(
    _ id: String,
    _ kind: Trace.Node.Kind,
    below parent: String?,
    at time: Timestamp,
    for duration: Duration?
  ) -> Trace.Node {
    Trace.Node(
      id: id,
      parent: parent,
      kind: kind,
      offsetMs: time.duration(since: trace.started).milliseconds,
      durationMs: duration?.milliseconds
    )
  }

  /// Returns the time of an event, or `nil` if it isn't kept.
  private func time(ofEvent id: String) -> Timestamp? {
    writes[id]?.time ?? objects[id]?.time ?? deliveriesOf[id]?.first?.event.time
  }

  private mutating func add(event id: String, below parent: String?) {
    let deliveries = deliveriesOf[id, default: []]
    guard let time = time(ofEvent: id) else { return }
    var node = node(Self.node(event: id), .write, below: parent, at: time, for: .zero)
    node.write = change(id, deliveries.first?.event)
    guard add(node) else { return }
    for delivery in deliveries { add(delivery, below: node.id) }
  }

  private mutating func add(_ delivery: Delivery, below parent: String) {
    let end = delivery.attempts.last.flatMap { last in
      last.duration.map { last.started.advanced(by: $0) }
    }
    var node = node(
      Self.node(delivery),
      .delivery,
      below: parent,
      at: delivery.recorded,
      for: delivery.isEnded ? end?.duration(since: delivery.recorded) : nil
    )
    node.delivery = DeliveryReport(delivery)
    guard add(node) else { return }
    for attempt in delivery.attempts { add(attempt, of: delivery, below: node.id) }
    // Add the effects of invocations that aren't among the attempts: dropped attempts, and
    // duplicated invocations.
    addEffects(of: delivery.id, below: node.id) { _ in true }
  }

  private mutating func add(
    _ attempt: DeliveryAttempt,
    of delivery: Delivery,
    below parent: String
  ) {
    var node = node(
      "attempt-\(delivery.id)-\(attempt.number)",
      .attempt,
      below: parent,
      at: attempt.started,
      for: attempt.duration
    )
    let logs = logs(of: delivery.id).filter {
      ($0.attempt ?? delivery.attemptCount) == attempt.number
    }
    node.attempt = Trace.Run(
      number: attempt.number,
      exitCode: attempt.result?.exitCode,
      error: attempt.result?.error.map(FunctionReply.Failure.init),
      output: attempt.result.flatMap { try? JSONValue(parsing: $0.line) },
      logs: logs
    )
    guard add(node) else { return }
    let span = SpanTable.span(of: attempt.traceparent)
    addEffects(of: delivery.id, below: node.id) { SpanTable.span(of: $0) == span }
  }

  private mutating func add(_ call: FunctionCall) {
    var node = node(Self.node(call), .call, below: nil, at: call.started, for: call.duration)
    node.call = Trace.Call(
      report: CallReport(call),
      event: try? JSONValue(parsing: call.event),
      logs: logs(of: call.id)
    )
    guard add(node) else { return }
    addEffects(of: call.id, below: node.id) { _ in true }
  }

  /// Adds an invocation's writes and requests to providers, in the order of time.
  ///
  /// - Parameter belongs: Returns `true` if a trace context belongs to the parent node.
  private mutating func addEffects(
    of invocation: String,
    below parent: String,
    where belongs: (String) -> Bool
  ) {
    let calls = providerCallsOf[invocation, default: []].enumerated()
      .filter { belongs($0.element.traceparent) }.map { ($0.element.started, $0) }
    let writes = writesOf[invocation, default: []].filter { belongs($0.traceparent) }
    var effects: [(time: Timestamp, add: (inout TraceBuilder) -> Void)] = []
    for (time, (number, call)) in calls {
      effects.append((time, { $0.add(call, "provider-\(invocation)-\(number)", below: parent) }))
    }
    let objects = objectsOf[invocation, default: []].filter { belongs($0.traceparent) }
    let events = writes.map { ($0.time, $0.eventID) } + objects.map { ($0.time, $0.eventID) }
    for (time, id) in events { effects.append((time, { $0.add(event: id, below: parent) })) }
    for effect in effects.sorted(by: { $0.time < $1.time }) { effect.add(&self) }
  }

  private mutating func add(_ call: ProviderCall, _ id: String, below parent: String) {
    var node = node(id, .provider, below: parent, at: call.started, for: call.duration)
    var report = ProviderCallReport(call, prices: prices)
    if !takes(call.request.bytes.count + call.response.bytes.count) {
      (report.request, report.response) = (nil, nil)
    }
    node.provider = report
    _ = add(node)
  }

  private func logs(of invocation: String) -> [LogStore.Entry] {
    Array(logsOf[invocation, default: []].suffix(Self.maximumLogs))
  }

  /// Reserves bytes for documents or bodies.
  ///
  /// - Returns: Whether there was room for them.
  mutating func takes(_ count: Int) -> Bool {
    guard bytes + count <= Self.maximumBytes else {
      trace.isShortened = true
      return false
    }
    bytes += count
    return true
  }
}

extension Duration {
  fileprivate var milliseconds: Double { (self / .microseconds(1)).rounded() / 1_000 }
}
