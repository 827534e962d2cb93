import FunctionRuntime

/// The conversion of trace contexts, from HTTP headers and to Cloud Logging's fields.
struct TraceNames: Sendable {
  /// The Google Cloud project, or `nil` to write lines without a trace.
  var project: String?

  /// Returns the trace context of a request, or `nil` if it has none.
  ///
  /// Google's front end sends `traceparent` and an older header, `x-cloud-trace-context`, with a
  /// value of the form `TRACE/SPAN;o=1`.
  ///
  /// - Parameter event: the trace context of the request's event, which takes precedence. An
  ///   invalid one is ignored.
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

  /// Returns the JSON fields that link a log line to an invocation's trace.
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
