import DequeModule

/// The table of invocations by span, in which the cause of a write is looked up. The oldest spans
/// are dropped.
package struct SpanTable {
  private static let capacity = 50_000

  private var invokers: [String: [Invoker]] = [:]
  private var order: Deque<String> = []

  /// Adds the span of an invocation.
  ///
  /// - Parameter invoker: The functions that led to the invocation, and the invocation itself last.
  mutating func add(_ traceparent: String, of invoker: [Invoker]) {
    let span = Self.span(of: traceparent)
    if invokers.updateValue(invoker, forKey: span) == nil { order.append(span) }
    if order.count > Self.capacity, let oldest = order.popFirst() { invokers[oldest] = nil }
  }

  /// Returns the invocation with a trace context, preceded by the functions that led to it. The
  /// result is empty if no invocation has the trace context.
  func invokers(of traceparent: String?) -> [Invoker] {
    traceparent.flatMap { invokers[Self.span(of: $0)] } ?? []
  }

  /// Returns the span id in a W3C trace context, which is unique to an invocation.
  package static func span(of traceparent: String) -> String {
    let parts = traceparent.split(separator: "-")
    return parts.count == 4 ? String(parts[2]) : traceparent
  }
}
