import DequeModule

/// Which invocation a span belongs to, to tell what caused a write. The oldest are forgotten.
package struct SpanTable {
  private static let capacity = 50_000

  private var invokers: [String: [Invoker]] = [:]
  private var order: Deque<String> = []

  /// - Parameter invoker: the functions that led there, the invocation itself last.
  mutating func add(_ traceparent: String, of invoker: [Invoker]) {
    let span = Self.span(of: traceparent)
    if invokers.updateValue(invoker, forKey: span) == nil { order.append(span) }
    if order.count > Self.capacity, let oldest = order.popFirst() { invokers[oldest] = nil }
  }

  /// Who sent a request with this trace context; empty if no function did.
  func invokers(of traceparent: String?) -> [Invoker] {
    traceparent.flatMap { invokers[Self.span(of: $0)] } ?? []
  }

  /// The span id of a W3C trace context, which is unique to an invocation.
  package static func span(of traceparent: String) -> String {
    let parts = traceparent.split(separator: "-")
    return parts.count == 4 ? String(parts[2]) : traceparent
  }
}
