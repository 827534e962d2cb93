import Core
import HTTPService

/// A refusal as Anthropic's API writes it. Source: the error shapes of its published clients.
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

  /// - Parameter place: the member at fault, such as `messages.0.role`.
  static func invalid(_ place: String, _ reason: String) -> AnthropicError {
    AnthropicError(message: "\(place): \(reason)")
  }

  static func missing(_ place: String) -> AnthropicError { invalid(place, "Field required") }

  /// An error for a member that the API has and its fake has not.
  static func notBuilt(_ place: String) -> AnthropicError {
    invalid(place, "is not built in the emulator")
  }

  /// Refuses the first member that is not known.
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
