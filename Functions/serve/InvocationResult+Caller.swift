import Core
import FunctionHost
import FunctionRuntime

extension InvocationResult {
  /// What a caller is told: of a failure that is no caller's fault, its kind alone. A function's own
  /// words for it name addresses behind it, and what a provider gives us.
  ///
  /// What the function could not say itself is in our words, and stays.
  func toCaller(of function: String) -> InvocationResult {
    guard let error, error.fault == .request, !line.isEmpty else { return self }
    var told = error
    told.code = code(of: error)
    guard !told.isForCaller, told.code != .unimplemented else { return self }
    told.message =
      switch told.code {
      case .unavailable, .deadlineExceeded: "\(function) can't be reached now; try again"
      case .resourceExhausted: "\(function) is asked for too much now; try again later"
      default: "\(function) failed; the log says more"
      }
    var result = self
    result.error = told
    return result
  }

  /// A failure's code as far as it agrees with the exit code, which says whose fault it is.
  private func code(of error: StatusError) -> StatusCode {
    switch ExitCode(rawValue: exitCode) {
    case .badEvent, .notAllowed: return error.code
    case .tryAgain:
      // Of a call ABORTED says to ask again, and its 409 that one mustn't.
      return error.code.isRetryable && error.code != .aborted ? error.code : .unavailable
    default: return error.code.httpStatus < 500 ? .internal : error.code
    }
  }
}
