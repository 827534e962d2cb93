import Core
import HTTPService

/// The fake of OpenAI's chat completions, which answers by rules.
///
/// - `POST /v1/chat/completions`
/// - `GET /v1/models` lists the only model
struct ChatCompletionsFake: Sendable {
  private let key: String
  private let engine = RuleEngine()
  private let now: @Sendable () -> Int64
  private let newID: @Sendable () -> String

  init(
    key: String,
    now: @escaping @Sendable () -> Int64,
    newID: @escaping @Sendable () -> String
  ) {
    self.key = key
    self.now = now
    self.newID = newID
  }

  func respond(to request: ServiceRequest) -> ServiceResponse {
    var response: ServiceResponse
    do throws(OpenAIError) {
      response = try answer(request)
    } catch {
      response = error.response
      if error.status == 405 { response.headers.append(("allow", "POST")) }
    }
    response.headers.append(("x-request-id", "req_\(newID())"))
    return response
  }

  private func answer(_ request: ServiceRequest) throws(OpenAIError) -> ServiceResponse {
    try checkKey(request)
    switch (request.method, request.path) {
    case ("GET", ["v1", "models"]): return .json(models)
    case ("POST", ["v1", "chat", "completions"]): return try complete(request)
    case (let method, ["v1", "chat", "completions"]):
      throw OpenAIError(
        status: 405,
        message: "Invalid method for URL (\(method) /v1/chat/completions)"
      )
    default:
      throw OpenAIError(
        status: 404,
        message: "Invalid URL: the emulator has POST /v1/chat/completions and GET /v1/models"
      )
    }
  }

  private func checkKey(_ request: ServiceRequest) throws(OpenAIError) {
    guard let given = request.bearerToken, !given.isEmpty else {
      throw OpenAIError(
        status: 401,
        message: "You didn't provide an API key. You need to provide it in an Authorization "
          + "header using Bearer auth."
      )
    }
    guard given == key else {
      throw OpenAIError(
        status: 401,
        message: "Incorrect API key provided.",
        code: "invalid_api_key"
      )
    }
  }

  private func complete(_ request: ServiceRequest) throws(OpenAIError) -> ServiceResponse {
    guard request.body.isValidUTF8, let body = try? JSONValue(parsing: request.body) else {
      throw OpenAIError(
        message: "We could not parse the JSON body of your request. The API expects a JSON "
          + "payload in UTF-8."
      )
    }
    let request = try ReceivedChatRequest(body)
    let completion = ChatCompletion(
      of: request,
      by: engine,
      id: "chatcmpl-\(newID())",
      callID: "call_\(newID())",
      created: now()
    )
    return request.isStreamed
      ? completion.stream(withUsage: request.streamsUsage) : .json(completion.json)
  }

  private var models: JSONValue {
    .object([
      "object": "list",
      "data": .array([
        .object([
          "id": .string(RuleEngine.name), "object": "model", "created": .integer(0),
          "owned_by": "emulator",
        ])
      ]),
    ])
  }
}
