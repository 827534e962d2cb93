import Core
import FunctionHost
import FunctionRuntime
import HTTPService

/// The response to a delivered event: 2xx ends its delivery, any other status causes a redelivery.
enum EventResponse {
  static func answer(_ result: InvocationResult, of function: String) -> ServiceResponse {
    let status = status(of: result)
    if let error = result.error, result.line.isEmpty || error.fault == .configuration {
      return .error(error.toCaller(of: function), status: status)
    }
    guard !result.line.isEmpty else { return ServiceResponse(status: status) }
    var response = ServiceResponse.json(result.line, status: status)
    if let error = result.error, status >= 500 { response.setRetryAfter(of: error) }
    return response
  }

  private static func status(of result: InvocationResult) -> Int {
    guard let error = result.error else { return result.line.isEmpty ? 204 : 200 }
    switch ExitCode(rawValue: result.exitCode) {
    // A redelivery of an invalid event would fail again.
    case .badEvent, .notAllowed: return 200
    case .tryAgain:
      switch error.code {
      case .deadlineExceeded: return 504
      case .resourceExhausted where result.line.isEmpty: return 429
      default: return 503
      }
    default: return 500
    }
  }
}
