/// A destination for the lines that functions print on stderr.
package protocol FunctionLog: Sendable {
  /// Appends a line, without its line feed.
  ///
  /// - Parameter attempts: The attempts that the line may belong to, the most likely first.
  func append(_ line: [UInt8], function: String, attempts: [LoggedAttempt])

  /// Appends a warning about a function's stderr, such as that lines were dropped.
  func append(warning: String, function: String, attempt: LoggedAttempt?)
}

/// The IDs of an attempt to handle an event. They connect log lines with the attempt.
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
