import Core
import HTTPService

/// An error that FCM reports about a request.
struct PushViolation: Equatable {
  /// The path of the invalid field, such as `message.notification`; empty if FCM names no field.
  var field: String
  var message: String
}

extension [PushViolation] {
  /// FCM's error response, with all errors in one message.
  var refusal: ServiceResponse {
    let fields = compactMap { violation -> JSONValue? in
      guard !violation.field.isEmpty else { return nil }
      return .object([
        "field": .string(violation.field), "description": .string(violation.message),
      ])
    }
    let badRequest = JSONValue.object([
      "@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": .array(fields),
    ])
    return googleError(
      .invalidArgument,
      map(\.message).joined(separator: "\n"),
      // FCM gives no details for an invalid token or a message that is too large.
      details: (fields.isEmpty ? [] : [badRequest]) + [PushFake.error("INVALID_ARGUMENT")]
    )
  }
}
