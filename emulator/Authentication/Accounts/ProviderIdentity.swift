import Core
import Cryptography
import FirestoreModel
import HTTPService

/// A user as another provider's credential describes the user.
struct ProviderIdentity: Sendable {
  let provider: LinkedProvider
  let isEmailVerified: Bool
  private let claims: JSONObject
  private let idToken: String

  /// Creates an identity from the fields of a request.
  ///
  /// The credential is the ID token in `postBody`. Emulators accept an unsigned one, or its claims
  /// as a JSON object.
  ///
  /// - Throws: `INVALID_IDP_RESPONSE` if there is no such token, and an error with the status 501
  ///   for a SAML or OpenID Connect provider.
  init(_ fields: RequestFields) throws(AuthenticationError) {
    guard let uri = try fields.text("requestUri") else { throw .refused("MISSING_REQUEST_URI") }
    guard ContinueURL(uri) != nil else { throw .refused("INVALID_REQUEST_URI") }
    let form = Self.parameters(try fields.text("postBody"), of: uri)
    guard let providerId = form["providerId"]?.lowercased(), !providerId.isEmpty else {
      throw .refused(
        "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: providerId is missing"
      )
    }
    guard !providerId.hasPrefix("saml."), !providerId.hasPrefix("oidc.") else {
      throw .unimplemented("\(quoted(providerId)) is not implemented in the Auth Emulator.")
    }
    guard let token = form["id_token"], !token.isEmpty else {
      guard form["access_token"] == nil, form["code"] == nil else {
        throw .unimplemented(
          "A credential with an access_token or code and without an id_token is not implemented in "
            + "the Auth Emulator."
        )
      }
      throw .refused(
        "INVALID_IDP_RESPONSE : The Auth Emulator only supports sign-in with credentials that have "
          + "an id_token."
      )
    }
    claims = try Self.claims(of: token)
    idToken = token
    guard let subject = claims["sub"].flatMap(RequestFields.text), !subject.isEmpty else {
      throw .refused(
        "INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields. ((Missing "
          + "'sub' claim. This field is required and should be unique.))"
      )
    }
    let email = claims["email"]?.string.map { EmailAddress.canonical($0) }
    isEmailVerified = email != nil && Self.isTrue(claims["email_verified"])
    provider = LinkedProvider(
      providerId: providerId,
      rawId: subject,
      federatedId: subject,
      email: email,
      displayName: claims["name"]?.string,
      photoUrl: claims["picture"]?.string,
      screenName: claims["screen_name"]?.string
    )
  }

  /// Returns the parameters of a form body, and of a URL's fragment and query. Those of the body
  /// count first.
  private static func parameters(_ form: String?, of uri: String) -> [String: String] {
    let parts = uri.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts[0].split(separator: "?", maxSplits: 1).dropFirst().first
    var parameters: [String: String] = [:]
    for text in [query, parts.dropFirst().first, form.map { $0[...] }].compactMap(\.self) {
      let fields = try? ServiceRequest.form(Data(text.utf8))
      parameters.merge(fields ?? [:]) { $1 }
    }
    return parameters
  }

  private static func claims(of token: String) throws(AuthenticationError) -> JSONObject {
    if token.utf8.first == UInt8(ascii: "{") {
      let json = try? JSONValue(parsing: Data(token.utf8), limits: JSONLimits(depth: 16))
      if let claims = json?.object { return claims }
    } else if let token = try? JSONWebToken(token) {
      return token.claims
    }
    throw .refused(
      "INVALID_IDP_RESPONSE : Unable to parse id_token. ((Auth Emulator only accepts strict JSON or "
        + "JWTs as fake id_tokens.))"
    )
  }

  /// Returns whether a claim is true. Apple writes it as a string.
  private static func isTrue(_ claim: JSONValue?) -> Bool {
    claim == .boolean(true) || claim == .string("true")
  }

  /// The fields that every response to the credential has.
  var body: JSONObject {
    var body: JSONObject = [
      "kind": .string("identitytoolkit#VerifyAssertionResponse"),
      "providerId": .string(provider.providerId), "oauthIdToken": .string(idToken),
    ]
    body["federatedId"] = .string(
      (provider.providerId == "google.com"
        ? "https://accounts.google.com/" : "\(provider.providerId)/") + provider.rawId
    )
    body["email"] = provider.email.map(JSONValue.string)
    body["emailVerified"] = .boolean(isEmailVerified)
    body["displayName"] = provider.displayName.map(JSONValue.string)
    body["fullName"] = provider.displayName.map(JSONValue.string)
    body["photoUrl"] = provider.photoUrl.map(JSONValue.string)
    body["firstName"] = claims["given_name"]
    body["lastName"] = claims["family_name"]
    body["rawUserInfo"] = (try? JSON.encode(JSONValue.object(claims))).map {
      .string(String(decoding: $0, as: UTF8.self))
    }
    return body
  }

  /// Links the identity with an account, and completes the account's fields.
  ///
  /// If the provider vouches for an email address that the account's creator never verified, the
  /// creator may be somebody else. So the account's password, phone number and other providers are
  /// removed and its name and photo replaced, unless the account's user links the identity.
  ///
  /// - Parameters:
  ///   - isUsers: A Boolean value that indicates whether the account's user is signed in.
  ///   - givesEmail: A Boolean value that indicates whether an account without an email address
  ///     gets the identity's.
  func apply(
    to account: inout Account,
    isNew: Bool,
    isUsers: Bool,
    givesEmail: Bool,
    at time: Timestamp
  ) {
    let isSameEmail = provider.email.flatMap { account.email?.hasSameBytes(as: $0) } ?? false
    let isLinked = account.linkedProviders.contains {
      $0.providerId.hasSameBytes(as: provider.providerId)
        && $0.rawId.hasSameBytes(as: provider.rawId)
    }
    if !isUsers, isEmailVerified, isSameEmail, !isLinked, account.emailVerified != true {
      account.password = nil
      account.phoneNumber = nil
      account.linkedProviders = []
      account.displayName = provider.displayName
      account.photoUrl = provider.photoUrl
      account.validSince = time.seconds
    }
    account.link(provider)
    if account.email == nil, givesEmail, let email = provider.email {
      account.email = email
      account.emailVerified = isEmailVerified
    } else if isSameEmail, isEmailVerified {
      account.emailVerified = true
    }
    guard isNew else { return }
    account.displayName = provider.displayName
    account.photoUrl = provider.photoUrl
  }
}
