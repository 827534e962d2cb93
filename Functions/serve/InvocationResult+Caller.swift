import Core
import FunctionHost
import FunctionRuntime

extension InvocationResult {
  /// Returns the result without internal details.
  ///
  /// A failure that is not the caller's fault keeps only its code and the function's message for
  /// callers. The other message may name internal addresses or quote a provider. A message that
  /// this server itself wrote stays.
  func toCaller(of function: String) -> InvocationResult {
    guard let error, error.fault == .request, !line.isEmpty else { return self }
    var told = error
    told.code = code(of: error)
    guard !told.isForCaller, told.code != .unimplemented else { return self }
    told.message = told.callerMessage ?? message(for: told.code, of: function)
    var result = self
    result.error = told
    return result
  }

  private func message(for code: StatusCode, of function: String) -> String {
    switch code {
    case .unavailable, .deadlineExceeded: "\(function) can't be reached now; try again"
    case .resourceExhausted: "\(function) gets too many requests now; try again later"
    default: "\(function) failed; the log has details"
    }
  }

  /// Returns the failure's code, or another one if it contradicts the exit code. The exit code
  /// determines who is at fault.
  private func code(of error: StatusError) -> StatusCode {
    switch ExitCode(rawValue: exitCode) {
    case .badEvent, .notAllowed: return error.code
    case .tryAgain:
      // ABORTED means "retry", but its HTTP status 409 tells a caller not to.
      return error.code.isRetryable && error.code != .aborted ? error.code : .unavailable
    default: return error.code.httpStatus < 500 ? .internal : error.code
    }
  }
}
