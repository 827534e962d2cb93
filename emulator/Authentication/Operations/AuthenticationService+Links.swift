import Core
import HTTPService

/// The page behind the links in emails.
extension AuthenticationService {
  /// Performs the action of a link, and leads on to the link's `continueUrl` if there is one.
  ///
  /// The response is JSON in the form of Firebase's emulator: `{"authEmulator":{"success":…}}` or
  /// `{"authEmulator":{"error":…,"instructions":…}}`.
  func followLink(
    _ request: ServiceRequest
  ) async throws(AuthenticationError) -> ServiceResponse {
    guard let mode = request[query: "mode"], !mode.isEmpty else {
      return Self.page(error: "missing mode query parameter", "Open a link as it is.")
    }
    guard let text = request[query: "oobCode"], !text.isEmpty else {
      return Self.page(error: "missing oobCode query parameter", "Open a link as it is.")
    }
    guard request[query: "apiKey"]?.isEmpty == false else {
      return Self.page(error: "missing apiKey query parameter", "Add &apiKey=any to the link.")
    }
    guard let code = store.code(text), code.purpose.mode.hasSameBytes(as: mode) else {
      return Self.page(
        error: "Your request to \(quoted(mode)) has expired or the link has already been used.",
        "Ask for another email."
      )
    }
    let continueURL = request[query: "continueUrl"].flatMap { ContinueURL($0) }
    if code.purpose == .emailSignIn {
      // The app signs in itself, with the code in its URL.
      guard let continueURL else {
        return Self.page(
          error: "missing continueUrl query parameter",
          "Add the URL of an app to the link, as &continueUrl=URL."
        )
      }
      let fields = request.query.filter { $0.name != "continueUrl" }
      return Self.redirect(to: continueURL.adding(fields.map { ($0.name, $0.value) }))
    }
    if code.purpose == .passwordReset, request[query: "newPassword"]?.isEmpty != false {
      return Self.page(
        error: "missing newPassword query parameter",
        "Add a password to the link: &newPassword=PASSWORD."
      )
    }
    let success = try await perform(code, newPassword: request[query: "newPassword"])
    if let continueURL { return Self.redirect(to: continueURL) }
    return .json(
      JSONValue.object(["authEmulator": .object(success)])
    )
  }

  /// Performs the action of a code.
  ///
  /// - Returns: The fields of the response.
  private func perform(
    _ code: OutOfBandCode,
    newPassword: String?
  ) async throws(AuthenticationError) -> JSONObject {
    let time = now()
    return try await store.write { edit throws(AuthenticationError) -> JSONObject in
      if code.purpose == .passwordReset {
        try setPassword(newPassword ?? "", by: code, in: &edit, at: time)
        return [
          "success": .string("The password has been successfully updated."),
          "email": .string(code.email),
        ]
      }
      let account = try useEmailCode(code.oobCode, in: &edit, at: time)
      let words =
        switch code.purpose {
        case .recoverEmail: "The email has been successfully reset."
        case .verifyAndChangeEmail: "The email has been successfully changed."
        default: "The email has been successfully verified."
        }
      let name = code.purpose == .verifyAndChangeEmail ? "newEmail" : "email"
      return ["success": .string(words), ByteKey(name): .string(account.email ?? "")]
    }
  }

  private static func page(error: String, _ instructions: String) -> ServiceResponse {
    .json(
      JSONValue.object([
        "authEmulator": .object([
          "error": .string(error), "instructions": .string(instructions),
        ])
      ]),
      status: 400
    )
  }

  private static func redirect(to url: ContinueURL) -> ServiceResponse {
    ServiceResponse(status: 303, headers: [("location", url.headerValue)])
  }
}
