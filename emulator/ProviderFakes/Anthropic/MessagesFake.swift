import Core
import HTTPService

/// The fake of Anthropic's Messages API, which answers by rules: `POST /v1/messages`.
struct MessagesFake: Sendable {
  private let key: String
  private let engine = RuleEngine()
  private let newID: @Sendable () -> String

  init(key: String, newID: @escaping @Sendable () -> String) {
    self.key = key
    self.newID = newID
  }

  func respond(to request: ServiceRequest) -> ServiceResponse {
    let requestID = "req_\(newID())"
    var response: ServiceResponse
    do throws(AnthropicError) {
      response = try answer(request)
    } catch {
      response = error.response(requestID: requestID)
      if error.status == 405 { response.headers.append(("allow", "POST")) }
    }
    response.headers.append(("request-id", requestID))
    return response
  }

  private func answer(_ request: ServiceRequest) throws(AnthropicError) -> ServiceResponse {
    guard let given = request.headers["x-api-key"] ?? request.bearerToken, !given.isEmpty else {
      throw AnthropicError(
        status: 401,
        type: "authentication_error",
        message: "x-api-key header is required"
      )
    }
    guard given == key else {
      throw AnthropicError(
        status: 401,
        type: "authentication_error",
        message: "invalid x-api-key"
      )
    }
    guard request.path == ["v1", "messages"] else {
      throw AnthropicError(status: 404, type: "not_found_error", message: "Not found")
    }
    guard request.method == "POST" else {
      throw AnthropicError(status: 405, message: "Method Not Allowed")
    }
    guard request.headers["anthropic-version"]?.isEmpty == false else {
      throw .invalid("anthropic-version", "header is required")
    }
    guard request.body.isValidUTF8, let body = try? JSONValue(parsing: request.body) else {
      throw AnthropicError(message: "The request body is not valid JSON")
    }
    let request = try MessagesRequest(body)
    let message = AnsweredMessage(
      of: request,
      by: engine,
      id: "msg_\(newID())",
      toolUseID: "toolu_\(newID())"
    )
    return request.isStreamed ? message.stream() : .json(message.json)
  }
}
