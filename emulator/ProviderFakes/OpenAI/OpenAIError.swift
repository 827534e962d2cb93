import Core
import HTTPService

/// An error in the format of OpenAI's API.
///
/// Source: the error types in OpenAI's published clients.
struct OpenAIError: Error {
  var status = 400
  var message: String
  /// The path of the invalid field, such as `messages[0].role`.
  var param: String?
  var code: String?

  var response: ServiceResponse {
    let error = JSONValue.object([
      "message": .string(message), "type": "invalid_request_error",
      "param": param.map(JSONValue.string) ?? .null, "code": code.map(JSONValue.string) ?? .null,
    ])
    return .json(JSONValue.object(["error": error]), status: status)
  }

  static func unknown(_ name: String, in place: String = "") -> OpenAIError {
    let param = place.isEmpty ? name.printable : "\(place).\(name.printable)"
    return OpenAIError(
      message: "Unknown parameter: '\(param)'.",
      param: param,
      code: "unknown_parameter"
    )
  }

  static func missing(_ param: String) -> OpenAIError {
    OpenAIError(
      message: "Missing required parameter: '\(param)'.",
      param: param,
      code: "missing_required_parameter"
    )
  }

  static func type(of param: String, expected: String, _ value: JSONValue) -> OpenAIError {
    OpenAIError(
      message: "Invalid type for '\(param)': expected \(expected), but got \(value.kind) instead.",
      param: param,
      code: "invalid_type"
    )
  }

  static func value(of param: String, _ value: String, supported: [String]) -> OpenAIError {
    let names = supported.map { "'\($0)'" }.joined(separator: ", ")
    return OpenAIError(
      message: "Invalid value: '\(value.printable)'. Supported values are: \(names).",
      param: param,
      code: "invalid_value"
    )
  }

  /// Returns the error for an argument that the API supports and the fake doesn't.
  static func unsupported(_ param: String) -> OpenAIError {
    OpenAIError(
      message: "'\(param)' is not supported by the emulator.",
      param: param,
      code: "unsupported_parameter"
    )
  }
}

extension String {
  /// The text with control characters escaped, for error messages.
  fileprivate var printable: String { String(quoted(self).dropFirst().dropLast()) }
}
