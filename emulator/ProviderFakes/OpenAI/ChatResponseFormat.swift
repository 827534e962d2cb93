import Core

/// The `response_format` of a request to chat completions.
enum ChatResponseFormat {
  private static let types = ["text", "json_object", "json_schema"]

  static func form(
    _ format: JSONValue?,
    messages: ChatMessages
  ) throws(OpenAIError) -> ModelPrompt.Form {
    guard let format else { return .text }
    guard let members = format.members else {
      throw .type(of: "response_format", expected: "an object", format)
    }
    guard let type = members["type"]?.string else { throw .missing("response_format.type") }
    guard types.contains(type) else {
      throw .value(of: "response_format.type", type, supported: types)
    }
    let known = type == "json_schema" ? ["type", "json_schema"] : ["type"]
    if let name = members.unknownName(besides: known) {
      throw .unknown(name, in: "response_format")
    }
    switch type {
    case "json_schema": return .object(schema: try schema(members["json_schema"]))
    case "json_object":
      guard messages.mentionsJSON else {
        throw OpenAIError(
          message: "'messages' must contain the word 'json' in some form, to use "
            + "'response_format' of type 'json_object'.",
          param: "messages"
        )
      }
      return .object(schema: nil)
    default: return .text
    }
  }

  private static func schema(_ value: JSONValue?) throws(OpenAIError) -> JSONValue? {
    let place = "response_format.json_schema"
    guard let value else { throw .missing(place) }
    guard let members = value.members else { throw .type(of: place, expected: "an object", value) }
    let known = ["description", "name", "schema", "strict"]
    if let name = members.unknownName(besides: known) {
      throw .unknown(name, in: place)
    }
    guard let name = members["name"]?.string else { throw .missing("\(place).name") }
    guard name.isToolName else { throw .name("\(place).name") }
    if let strict = members["strict"], strict != .boolean(true), strict != .boolean(false) {
      throw .type(of: "\(place).strict", expected: "a boolean", strict)
    }
    let schema = members["schema"]
    if let schema, schema.object == nil {
      throw .type(of: "\(place).schema", expected: "an object", schema)
    }
    guard members["strict"] == .boolean(true) else { return schema }
    guard let schema else { throw .missing("\(place).schema") }
    if let violation = StrictSchema.violation(in: schema) {
      throw OpenAIError(
        message: "Invalid schema for response_format '\(name)': \(violation)",
        param: "response_format"
      )
    }
    return schema
  }
}
