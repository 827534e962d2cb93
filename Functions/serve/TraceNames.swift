import FunctionRuntime

/// Traces as Cloud Logging and HTTP's headers name them.
struct TraceNames: Sendable {
  /// nil: lines have no trace.
  var project: String?

  /// The trace context in which a request stands, nil if it stands in none.
  ///
  /// Google's front end sends both headers; the older one is `TRACE/SPAN;o=1`.
  ///
  /// - Parameter event: that of the event in it, which comes first. One that isn't well-formed is as good
  ///   as none.
  static func parent(of headers: [String: String], event: String? = nil) -> String? {
    for case let traceparent? in [event, headers["traceparent"]]
    where FunctionContext.Sources.traceID(of: traceparent) != nil {
      return traceparent
    }
    guard let header = headers["x-cloud-trace-context"] else { return nil }
    let trace = header.prefix { $0 != "/" && $0 != ";" }.lowercased()
    let traceparent = "00-\(trace)-0000000000000001-01"
    return FunctionContext.Sources.traceID(of: traceparent) == nil ? nil : traceparent
  }

  /// The members that tie a line of a log to an invocation's trace.
  ///
  /// Source: cloud.google.com/logging/docs/structured-logging.
  func members(of traceparent: String?) -> [(name: String, value: String)] {
    guard let project, let traceparent,
      let trace = FunctionContext.Sources.traceID(of: traceparent)
    else { return [] }
    let span = traceparent.split(separator: "-")[2]
    return [
      ("logging.googleapis.com/trace", "projects/\(project)/traces/\(trace)"),
      ("logging.googleapis.com/spanId", String(span)),
    ]
  }
}
