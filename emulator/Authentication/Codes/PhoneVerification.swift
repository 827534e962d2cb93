package import Core
import FirestoreModel

/// A proof to come that a user owns a phone number.
package struct PhoneVerification: Sendable {
  package let phoneNumber: String
  /// The text that the client presents with the code, or a temporary proof that stands for both.
  let sessionInfo: String
  /// The code that the phone got, or `nil` for a temporary proof.
  let code: String?
  let sentAt: Timestamp

  /// The code as the emulator's own routes list it, or `nil` for a temporary proof.
  package var json: JSONValue? {
    guard let code else { return nil }
    return .object([
      "phoneNumber": .string(phoneNumber), "sessionInfo": .string(sessionInfo),
      "code": .string(code), "sentAt": .string(sentAt.javaScriptText),
    ])
  }
}
