import Calls
import FunctionRuntime
import HTTPService
import RPCStatus
import Workers

/// What whoever delivers an event is told: 2xx is the end of it, anything else brings it again.
enum EventAnswer {
  static func answer(_ result: InvocationResult, of function: String) -> ServiceResponse {
    var response: ServiceResponse
    if result.line.isEmpty || result.error?.fault == .configuration {
      response = result.error.map { .error($0.toCaller(of: function)) } ?? ServiceResponse()
    } else {
      response = .json(result.line)
    }
    response.status = status(of: result)
    if let error = result.error, response.status >= 500, let wait = error.retryAfter {
      response.headers.removeAll { $0.name == "retry-after" }
      response.headers.append(("retry-after", "\(max(1, wait.components.seconds))"))
    }
    return response
  }

  private static func status(of result: InvocationResult) -> Int {
    guard let error = result.error else { return result.line.isEmpty ? 204 : 200 }
    switch ExitCode(rawValue: result.exitCode) {
    // It stays bad, however often it is delivered.
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
