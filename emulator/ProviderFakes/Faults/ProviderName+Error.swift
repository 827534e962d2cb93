import Core
package import HTTPService

extension ProviderName {
  /// Returns an error response in the provider's format.
  ///
  /// - Parameter code: the provider's own code: FCM's `errorCode`, Google's `reason`, OpenAI's
  ///   `code` and `type`, Anthropic's `type`, or OAuth's `error`.
  package func error(
    status: Int,
    code: String? = nil,
    message text: String = "The emulator was asked for this fault."
  ) -> ServiceResponse {
    let message = JSONValue.string(text)
    let body: JSONObject
    switch self {
    case .translation, .fcm:
      var error: JSONObject = [
        "code": .integer(Int64(status)), "message": message,
        "status": .string(Self.canonicalCode(of: status)),
      ]
      if let code, self == .fcm {
        error["details"] = .array([PushFake.error(code)])
      } else if let code {
        error["errors"] = .array([
          .object(["message": message, "domain": "global", "reason": .string(code)])
        ])
      }
      body = ["error": .object(error)]
    case .openai:
      let type = code ?? (status < 500 ? "invalid_request_error" : "server_error")
      body = [
        "error": .object([
          "message": message, "type": .string(type), "param": .null,
          "code": code.map(JSONValue.string) ?? .null,
        ])
      ]
    case .anthropic:
      return AnthropicError(
        status: status,
        type: code ?? (status < 500 ? "invalid_request_error" : "api_error"),
        message: text
      ).response(requestID: "req_fault")
    case .oauth:
      body = ["error": .string(code ?? "internal_failure"), "error_description": message]
    }
    return .json(JSONValue.object(body), status: status)
  }

  /// Returns the canonical code of an HTTP status.
  ///
  /// Source: google/rpc/code.proto, which gives the HTTP status of each code.
  private static func canonicalCode(of status: Int) -> String {
    switch status {
    case 400: "INVALID_ARGUMENT"
    case 401: "UNAUTHENTICATED"
    case 403: "PERMISSION_DENIED"
    case 404: "NOT_FOUND"
    case 409: "ABORTED"
    case 429: "RESOURCE_EXHAUSTED"
    case 500: "INTERNAL"
    case 503: "UNAVAILABLE"
    case 504: "DEADLINE_EXCEEDED"
    default: "UNKNOWN"
    }
  }
}
