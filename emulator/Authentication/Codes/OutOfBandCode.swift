package import Core
import FirestoreModel

/// A code that Firebase sends by email, with which a user proves to own an address.
package struct OutOfBandCode: Sendable {
  /// The purpose of a code.
  package enum Purpose: String, Sendable {
    case passwordReset = "PASSWORD_RESET"
    case emailSignIn = "EMAIL_SIGNIN"
    case verifyEmail = "VERIFY_EMAIL"
    case verifyAndChangeEmail = "VERIFY_AND_CHANGE_EMAIL"
    case recoverEmail = "RECOVER_EMAIL"

    /// The purpose's name in links.
    var mode: String {
      switch self {
      case .passwordReset: "resetPassword"
      case .emailSignIn: "signIn"
      case .verifyEmail: "verifyEmail"
      case .verifyAndChangeEmail: "verifyAndChangeEmail"
      case .recoverEmail: "recoverEmail"
      }
    }
  }

  package let purpose: Purpose
  /// The address in lower case. With `recoverEmail`, it is the address before the change.
  package let email: String
  /// The new address, for `verifyAndChangeEmail`.
  package let newEmail: String?
  /// The ID of the account, or `nil` for `emailSignIn`: whoever owns the address signs in with it.
  let localId: String?
  package let oobCode: String
  let sentAt: Timestamp
  /// The URL of the action page with this code.
  package let oobLink: String

  /// Creates a code.
  ///
  /// - Parameters:
  ///   - time: The time at which the code is sent.
  ///   - origin: The beginning of the link, such as `http://127.0.0.1:9099`.
  ///   - continueURL: The URL to which the action page leads.
  init(
    _ purpose: Purpose,
    email: String,
    newEmail: String? = nil,
    localId: String?,
    code: String,
    at time: Timestamp,
    origin: String,
    continueURL: String? = nil
  ) {
    self.purpose = purpose
    self.email = email
    self.newEmail = newEmail
    self.localId = localId
    oobCode = code
    sentAt = time
    var query = [
      (name: "mode", value: purpose.mode), ("lang", "en"), ("oobCode", code),
      ("apiKey", "fake-api-key"),
    ]
    if let continueURL { query.append(("continueUrl", continueURL)) }
    oobLink = "\(origin)/emulator/action?" + PercentEncoding.query(query)
  }

  /// The code as the emulator's own routes list it.
  package var json: JSONValue {
    var members: JSONObject = [
      "email": .string(email), "requestType": .string(purpose.rawValue),
      "oobCode": .string(oobCode), "oobLink": .string(oobLink),
      "sentAt": .string(sentAt.javaScriptText),
    ]
    members["newEmail"] = newEmail.map(JSONValue.string)
    return .object(members)
  }
}
