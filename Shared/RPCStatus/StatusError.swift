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

  /// What kind of failure this is.
  package var code: StatusCode
  /// One sentence for a person, naming what is wrong.
  package var message: String
  /// How long the other side asked us to wait before trying again.
  package var retryAfter: Duration?
  /// Whose fault it is.
  package var fault: Fault

  package init(
    _ code: StatusCode,
    _ message: String,
    retryAfter: Duration? = nil,
    fault: Fault = .request
  ) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
    self.fault = fault
  }

  /// A missing or refused key or variable of ours.
  package static func configuration(_ code: StatusCode, _ message: String) -> StatusError {
    StatusError(code, message, fault: .configuration)
  }

  package var description: String { "\(code.rawValue): \(message)" }
}
