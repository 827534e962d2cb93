/// Where the lines go that functions say on stderr.
package protocol FunctionLog: Sendable {
  /// Takes a line, without its line feed.
  ///
  /// - Parameter attempts: those it may be said in, the likeliest first.
  func append(_ line: [UInt8], function: String, attempts: [LoggedAttempt])

  /// Takes what we have to say about a function's stderr.
  func append(warning: String, function: String, attempt: LoggedAttempt?)
}

/// What a line is said in: one attempt to have a function answer an event.
package struct LoggedAttempt: Sendable {
  package var eventID: String
  package var invocationID: String?
  package var number: Int?
  /// The invocation's trace context.
  package var traceparent: String?

  package init(
    eventID: String,
    invocationID: String? = nil,
    number: Int? = nil,
    traceparent: String? = nil
  ) {
    self.eventID = eventID
    self.invocationID = invocationID
    self.number = number
    self.traceparent = traceparent
  }
}
