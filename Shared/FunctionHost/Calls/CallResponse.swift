package import Core
package import HTTPService

/// The HTTP response to a call.
///
/// Source: firebase.google.com/docs/functions/callable-reference.
package enum CallResponse {
  package static func answer(
    to form: CallRequest.Form,
    _ result: InvocationResult,
    of function: String
  ) -> ServiceResponse {
    if let error = result.error { return failure(in: form, error.toCaller(of: function)) }
    switch form {
    case .callable: return .json(JSONValue.object(["result": result.result ?? .null]))
    case .bare:
      return .json(result.result ?? .object(["skipped": .string(result.reason ?? "")]))
    }
  }

  /// Returns the response to a call that is refused before its function runs.
  ///
  /// If the client wants a stream, it gets one that has only the error: the SDKs' `stream()` reads
  /// nothing else, and would wait for ever.
  package static func refusal(
    of form: CallRequest.Form,
    _ error: StatusError,
    to request: ServiceRequest
  ) -> ServiceResponse {
    let response = failure(in: form, error)
    guard form == .callable, StreamingCall.isWanted(by: request) else { return response }
    return StreamingCall.stream(of: response)
  }

  private static func failure(in form: CallRequest.Form, _ error: StatusError) -> ServiceResponse {
    .error(error, body: form == .callable ? error.callable : nil)
  }
}

extension StatusError {
  /// The error in the format of the callable protocol: `{"error":{"status":…,"message":…}}`.
  package var callable: JSONValue {
    .object([
      "error": .object(["status": .string(code.rawValue), "message": .string(message)])
    ])
  }

  /// Returns the error to send to the caller. An error in the function's configuration is replaced
  /// by one without details. Another error gets the function's message for callers, unless its own
  /// is for the caller.
  package func toCaller(of function: String) -> StatusError {
    guard fault == .request else {
      return StatusError(.internal, "\(function) is not configured; the log says more")
    }
    guard let callerMessage, !isForCaller else { return self }
    var told = self
    told.message = callerMessage
    return told
  }
}
