/// The error type of this package: a code to branch on and a message to read.
///
/// The message names what is wrong (a field, a variable, a path). It never contains a user's text,
/// a token or a key, since it appears in logs and results.
package struct StatusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The party at fault, where the code doesn't tell.
  package enum Fault: Hashable, Sendable {
    /// The caller, or nobody: the code says everything.
    case request
    /// The operator: a key or variable is missing, or a provider refused the key. Exit code 78.
    case configuration
  }

  /// The scope of one of our limits.
  package enum Limit: String, Sendable, CaseIterable {
    /// The limit of one user, who may be told that it is reached.
    case user
    /// The limit of all users together.
    case everybody
  }

  /// The kind of failure.
  package var code: StatusCode
  /// The message for a person, which names what is wrong.
  package var message: String
  /// The delay after which to retry, or `nil` if the other side gave none.
  package var retryAfter: Duration?
  /// The party at fault.
  package var fault: Fault
  /// The limit of ours that was reached, for `RESOURCE_EXHAUSTED`, or `nil` if it is a provider's.
  package var limit: Limit?
  /// A Boolean value that indicates whether the message was written by a service that we call. It
  /// may name projects, paths and accounts, so it belongs in logs and events' results, never in
  /// responses to callers.
  package var isOthersWords: Bool

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
  /// about their request or their limit. Other messages are for logs only.
  package var isForCaller: Bool {
    fault == .request && !isOthersWords && (400..<499).contains(code.httpStatus)
      && (code != .resourceExhausted || limit == .user)
  }

  package var description: String { "\(code.rawValue): \(message)" }
}
