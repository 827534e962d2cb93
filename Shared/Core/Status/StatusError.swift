/// The error type of this package: a code to branch on and a message to read.
///
/// The message names the invalid thing: a field, a variable, a path. It never contains a user's
/// text, a token or a key, since it appears in logs and results.
package struct StatusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The party that must fix the error.
  package enum Fault: Hashable, Sendable {
    /// The caller or nobody, depending on the error's code.
    case request
    /// The operator: a key or variable is missing, or a provider refused the key. Exit code 78.
    case configuration
  }

  /// The scope of one of this project's limits.
  package enum Limit: String, Sendable, CaseIterable {
    /// The limit of one user. The response may tell the user that it is reached.
    case user
    /// The limit of all users together.
    case everybody
  }

  /// The kind of failure.
  package var code: StatusCode
  /// A message for people, which names the invalid thing.
  package var message: String
  /// The delay after which to retry, or `nil` if the server gave none.
  package var retryAfter: Duration?
  /// The party at fault.
  package var fault: Fault
  /// The limit of this project that was reached, for `RESOURCE_EXHAUSTED`. It is `nil` if a
  /// provider's limit was reached.
  package var limit: Limit?
  /// A Boolean value that indicates whether the message comes from a service that a function
  /// called.
  ///
  /// Such a message may name projects, paths and accounts. So it may appear in logs and in results
  /// of events, but never in responses to callers.
  package var isOthersWords: Bool
  /// The message for callers if `message` is only for logs, or `nil` for none.
  package var callerMessage: String?

  package init(
    _ code: StatusCode,
    _ message: String,
    retryAfter: Duration? = nil,
    fault: Fault = .request,
    isOthersWords: Bool = false
  ) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
    self.fault = fault
    self.isOthersWords = isOthersWords
  }

  /// Returns the error of a missing or refused key or variable.
  package static func configuration(_ code: StatusCode, _ message: String) -> StatusError {
    StatusError(code, message, fault: .configuration)
  }

  /// A Boolean value that indicates whether the message may be shown to the caller, because it is
  /// about the caller's own request or limit. Other messages are for logs only.
  package var isForCaller: Bool {
    fault == .request && !isOthersWords && (400..<499).contains(code.httpStatus)
      && (code != .resourceExhausted || limit == .user)
  }

  package var description: String { "\(code.rawValue): \(message)" }
}
