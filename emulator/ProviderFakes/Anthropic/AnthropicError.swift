import Core
import HTTPService

/// An error in the format of Anthropic's API.
///
/// Source: the error types in Anthropic's published clients.
struct AnthropicError: Error {
  var status = 400
  var type = "invalid_request_error"
  var message: String

  func response(requestID: String) -> ServiceResponse {
    .json(
      JSONValue.object([
        "type": "error", "request_id": .string(requestID),
        "error": .object(["type": .string(type), "message": .string(message)]),
      ]),
      status: status
    )
  }

  /// Returns the error for an invalid field.
  ///
  /// - Parameter place: the path of the field, such as `messages.0.role`.
  static func invalid(_ place: String, _ reason: String) -> AnthropicError {
    AnthropicError(message: "\(place): \(reason)")
  }

  static func missing(_ place: String) -> AnthropicError { invalid(place, "Field required") }

  /// Returns the error for a field that the API supports and the fake doesn't.
  static func notBuilt(_ place: String) -> AnthropicError {
    invalid(place, "is not supported by the emulator")
  }

  /// Throws an error for the first unknown field.
  static func checkNames(
    of members: JSONObject,
    known: Set<String>,
    at place: String = ""
  ) throws(AnthropicError) {
    if let name = members.unknownName(besides: known) {
      let printable = quoted(name).dropFirst().dropLast()
      throw .invalid(
        place.isEmpty ? "\(printable)" : "\(place).\(printable)",
        "Extra inputs are not permitted"
      )
    }
  }
}
