import RPCStatus
import Workers

extension InvocationResult {
  /// What a caller is told: of a failure that is no caller's fault, its kind alone. A function's own
  /// words for it name addresses behind it.
  ///
  /// What the function could not say itself is in our words, and stays.
  func toCaller(of function: String) -> InvocationResult {
    guard let error, error.fault == .request, !line.isEmpty else { return self }
    let message: String
    switch error.code {
    case .unavailable, .deadlineExceeded: message = "\(function) can't be reached now; try again"
    case .internal, .unknown: message = "\(function) failed; the log says more"
    default: return self
    }
    var result = self
    result.error = StatusError(error.code, message, retryAfter: error.retryAfter)
    return result
  }
}
