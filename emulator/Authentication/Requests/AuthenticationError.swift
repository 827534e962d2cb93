package import Core
import HTTPService

/// An error in the format of the Identity Toolkit API. Its message never contains a password or a
/// token.
package struct AuthenticationError: Error, Hashable, Sendable {
  package var httpStatus: Int
  /// The name of the canonical code. The API's own errors, such as `EMAIL_EXISTS`, have none.
  package var status: String?
  /// The error's name, such as `EMAIL_EXISTS`. An explanation may follow after ` : `.
  package var message: String
  private var item: Item

  /// The entry of the list `errors`.
  private struct Item: Hashable, Sendable {
    var message: String
    var reason: String
    var domain: String?
    /// The header field that is at fault.
    var header: String?
  }

  private init(
    _ httpStatus: Int,
    _ status: String?,
    _ message: String,
    reason: String,
    domain: String? = "global"
  ) {
    self.httpStatus = httpStatus
    self.status = status
    self.message = message
    item = Item(message: message, reason: reason, domain: domain)
  }

  /// Returns one of the API's own errors.
  static func refused(_ message: String) -> AuthenticationError {
    AuthenticationError(400, nil, message, reason: "invalid")
  }

  /// Returns the error of a body with a field that has the wrong type.
  static func invalidPayload(_ explanation: String) -> AuthenticationError {
    AuthenticationError(
      400,
      "INVALID_ARGUMENT",
      "Invalid JSON payload received. \(explanation)",
      reason: "invalid"
    )
  }

  /// Returns the error of a body that isn't JSON.
  static func malformedPayload(_ explanation: String) -> AuthenticationError {
    AuthenticationError(
      400,
      "INVALID_ARGUMENT",
      "Invalid JSON payload received. \(explanation)",
      reason: "parseError"
    )
  }

  /// Returns the error of something that the emulator doesn't support.
  static func unimplemented(_ message: String) -> AuthenticationError {
    AuthenticationError(501, "NOT_IMPLEMENTED", message, reason: "unimplemented", domain: nil)
  }

  /// The error of a route that doesn't exist.
  static let notFound = AuthenticationError(
    404,
    "NOT_FOUND",
    "Not Found: Authentication has no such method and path. Operations are "
      + "POST /identitytoolkit.googleapis.com/v1/accounts:OPERATION?key=KEY.",
    reason: "notFound",
    domain: nil
  )

  /// The error of a client's request without an API key.
  static let missingKey = AuthenticationError(
    403,
    "PERMISSION_DENIED",
    "The request is missing a valid API key.",
    reason: "forbidden"
  )

  /// The error of an administrator's request without a token.
  static let missingCredential = unauthenticated(
    "Request is missing required authentication credential.",
    "Login Required.",
    reason: "required"
  )

  /// The error of a token that isn't an administrator's.
  static let invalidCredential = unauthenticated(
    "Request had invalid authentication credentials.",
    "Invalid Credentials",
    reason: "authError"
  )

  private static func unauthenticated(
    _ message: String,
    _ detail: String,
    reason: String
  ) -> AuthenticationError {
    var error = AuthenticationError(
      401,
      "UNAUTHENTICATED",
      message + " Expected OAuth 2 access token, login cookie or other valid authentication "
        + "credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
      reason: reason
    )
    error.item.message = detail
    error.item.header = "Authorization"
    return error
  }

  /// Creates the error for a failure outside the API's rules, such as a full disk.
  init(_ error: StatusError) {
    self.init(error.code.httpStatus, error.code.rawValue, error.message, reason: "backendError")
  }

  /// The error as the emulator's other services have it.
  package var statusError: StatusError {
    StatusError(status.flatMap(StatusCode.init) ?? .failedPrecondition, message)
  }

  /// The response to the client.
  var response: ServiceResponse {
    var item: JSONObject = [
      "message": .string(self.item.message), "reason": .string(self.item.reason),
    ]
    item["domain"] = self.item.domain.map(JSONValue.string)
    if let header = self.item.header {
      item["location"] = .string(header)
      item["locationType"] = .string("header")
    }
    var error: JSONObject = [
      "code": .integer(Int64(httpStatus)), "message": .string(message),
      "errors": .array([.object(item)]),
    ]
    error["status"] = status.map(JSONValue.string)
    return .json(JSONValue.object(["error": .object(error)]), status: httpStatus)
  }
}
