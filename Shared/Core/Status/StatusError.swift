/// The one error of this package: a code to branch on and a sentence to read.
///
/// The sentence names what is wrong (a field, a variable, a path) and never carries a user's
/// text, a token or a key: it travels into logs and results.
package struct StatusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whose fault a failure is, where the code alone can't tell.
  package enum Fault: Hashable, Sendable {
    /// The caller's, or nobody's: the code says it all.
    case request
    /// Ours: a key or variable is missing, or a provider refused our key. Exit code 78.
    case configuration
  }

  /// Whose limit it is that was reached.
  package enum Limit: String, Sendable, CaseIterable {
    /// The one of who asks: that it is reached is for them to know.
    case user
    /// What all users together may have.
    case everybody
  }

  /// What kind of failure this is.
  package var code: StatusCode
  /// One sentence for a person, naming what is wrong.
  package var message: String
  /// How long the other side asked us to wait before trying again.
  package var retryAfter: Duration?
  /// Whose fault it is.
  package var fault: Fault
  /// Of a `RESOURCE_EXHAUSTED`, the limit of ours that it is about; nil if it is a provider's.
  package var limit: Limit?
  /// Whether the message is what a service behind us says: it may name projects, paths and accounts,
  /// and is for logs and events' results, never for callers.
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

  /// A missing or refused key or variable of ours.
  package static func configuration(_ code: StatusCode, _ message: String) -> StatusError {
    StatusError(code, message, fault: .configuration)
  }

  /// A Boolean value that indicates whether the message is for the caller: it is about their request
  /// or their limit. Any other names what is behind a function, and is for logs.
  package var isForCaller: Bool {
    fault == .request && !isOthersWords && (400..<499).contains(code.httpStatus)
      && (code != .resourceExhausted || limit == .user)
  }

  package var description: String { "\(code.rawValue): \(message)" }
}
