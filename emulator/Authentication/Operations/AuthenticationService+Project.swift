import Core
import FirestoreModel

/// The operations that are about the whole project.
extension AuthenticationService {
  /// The project's number. Every emulated project has the same one.
  static let projectNumber = "12345"

  var projectFacts: JSONObject {
    [
      "projectId": .string(Self.projectNumber),
      "authorizedDomains": .array([.string("localhost")]),
    ]
  }

  /// The parameters of reCAPTCHA. SDKs don't use it with an emulator.
  var recaptchaParams: JSONObject {
    [
      "kind": .string("identitytoolkit#GetRecaptchaParamResponse"),
      "recaptchaStoken": .string("emulated-token-without-use"),
      "recaptchaSiteKey": .string("emulated-key-without-use"),
    ]
  }

  var recaptchaConfig: JSONObject {
    let providers = ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"]
    return [
      "recaptchaEnforcementState": .array(
        providers.map { provider in
          .object(["provider": .string(provider), "enforcementState": .string("OFF")])
        }
      )
    ]
  }

  var passwordPolicy: JSONObject {
    [
      "customStrengthOptions": .object([
        "minPasswordLength": .integer(Int64(NewPassword.minimumLength))
      ]),
      "allowedNonAlphanumericCharacters": .array(
        "^$*.[]{}()?\"!@#%&/\\,><':;|_~".map { .string(String($0)) }
      ),
      "enforcementState": .string("OFF"),
      "schemaVersion": .integer(1),
    ]
  }

  func deleteAllAccounts() async throws(AuthenticationError) -> JSONObject {
    try await store.write { edit throws(AuthenticationError) -> JSONObject in
      edit.deleteAll()
      return [:]
    }
  }

  func updateSettings(
    _ request: AuthenticationRequest
  ) async throws(AuthenticationError) -> JSONObject {
    try await store.write { edit throws(AuthenticationError) -> JSONObject in
      try edit.settings.apply(request.fields)
      return edit.settings.json.object ?? [:]
    }
  }

  /// Makes all ID tokens issued so far expire.
  ///
  /// Tokens have times in whole seconds. So the response comes when the second is over, and every
  /// token that is issued after the response is valid, whoever issues it.
  func expireIDTokens() async -> JSONObject {
    let now = now()
    store.expireIDTokens(at: now.seconds)
    try? await Task.sleep(for: .nanoseconds(1_000_000_000 - Int64(now.nanoseconds)))
    return [:]
  }
}
