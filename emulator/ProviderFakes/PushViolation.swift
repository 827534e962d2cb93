import Core
import HTTPService

/// What FCM has to say against a request.
struct PushViolation: Equatable {
  /// Path of what the complaint is about, such as `message.notification`; empty where FCM names none.
  var field: String
  var message: String
}

extension [PushViolation] {
  /// FCM's refusal, all complaints in one.
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
      // Of a token that is none, and of what is too large, FCM says no more than that.
      details: (fields.isEmpty ? [] : [badRequest]) + [PushFake.error("INVALID_ARGUMENT")]
    )
  }
}
