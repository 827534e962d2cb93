package import Core

extension StatusError {
  /// The message of a provider's outage, which clients show to users.
  package static let outageMessage = "AI temporarily unavailable"

  /// Returns the error of a language model's outage. Callers get it without the reason.
  package static func outage(
    _ code: StatusCode,
    _ reason: String,
    retryAfter: Duration? = nil
  ) -> StatusError {
    StatusError(code, "\(outageMessage): \(reason)", retryAfter: retryAfter).asOutage
  }

  /// The error with the outage's message for callers, if it is a temporary failure of a provider.
  var asOutage: StatusError {
    guard fault == .request, code.isRetryable else { return self }
    var error = self
    error.callerMessage = Self.outageMessage
    return error
  }
}
