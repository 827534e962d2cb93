import HTTPService

/// The operation that a request's method and path name.
struct Route: Sendable {
  /// The credential that a request needs.
  enum Access: Sendable {
    /// An API key, or an administrator's token.
    case client
    /// An administrator's token.
    case administrator
    /// None. The operation exists only in emulators.
    case open
  }

  var operation: Operation
  var access: Access
  /// The project in the path, or `nil` for that of the API key.
  var project: String?
  /// A Boolean value that indicates whether the body has the fields that belong in the query. The
  /// project must be among them.
  var hasOldForm = false

  /// Finds the route of a request.
  ///
  /// - Throws: An error with the status 501 for an operation that the emulator doesn't support, and
  ///   404 for an unknown path.
  init(_ request: ServiceRequest) throws(AuthenticationError) {
    let rest = request.path.dropFirst()
    switch request.path.first {
    case "identitytoolkit.googleapis.com":
      self = try .identityToolkit(request.method, Array(rest))
    case "securetoken.googleapis.com":
      guard request.method == "POST", rest == ["v1", "token"] else { throw .notFound }
      self.init(.grantToken, .client)
    case "www.googleapis.com":
      guard rest.count == 4, rest.starts(with: ["identitytoolkit", "v3", "relyingparty"]),
        let name = rest.last
      else { throw .notFound }
      self = try .relyingParty(request.method, name)
    case "emulator": self = try .emulator(request.method, Array(rest))
    default: throw .notFound
    }
  }

  private init(_ operation: Operation, _ access: Access, project: String? = nil) {
    self.operation = operation
    self.access = access
    self.project = project
  }

  /// The beginnings of names that Firebase knows and the emulator doesn't support.
  private static let unsupportedNames = [
    "accounts:issueSamlResponse", "accounts:revokeToken", "accounts:signInWithGameCenter",
    "accounts:verifyIosClient", "auth", "config", "defaultSupportedIdpConfigs",
    "identityPlatform:", "inboundSamlConfigs", "iosClients", "mfaEnrollment:", "mfaSignIn:",
    "oauthIdpConfigs", "openapi.json", "passkey", "publicKeys", "sessionCookiePublicKeys",
    "setProjectConfig", "signOutUser", "tenants",
  ]

  /// Returns the error of a path for which there is no operation: status 501 if Firebase has it, or
  /// else 404.
  private static func missing(_ path: ArraySlice<String>) -> AuthenticationError {
    guard path.contains(where: { name in unsupportedNames.contains { name.hasPrefix($0) } }) else {
      return .notFound
    }
    return .unimplemented(
      "\(path.joined(separator: "/")) is not implemented in the Auth Emulator."
    )
  }

  // MARK: Identity Toolkit

  private static func identityToolkit(
    _ method: String,
    _ path: [String]
  ) throws(AuthenticationError) -> Route {
    guard let version = path.first, version == "v1" || version == "v2", path.count > 1 else {
      throw .notFound
    }
    switch (method, version, path[1]) {
    case ("GET", "v1", "projects") where path.count == 2: return Route(.getProject, .client)
    case ("GET", "v1", "recaptchaParams"): return Route(.getRecaptchaParams, .client)
    case ("GET", "v2", "recaptchaConfig"): return Route(.getRecaptchaConfig, .client)
    case ("GET", "v2", "passwordPolicy"): return Route(.getPasswordPolicy, .client)
    case (_, "v1", "projects") where path.count > 2:
      return try project(method, Array(path[2...]))
    case (_, "v2", "projects"): throw missing(path.dropFirst(3))
    case ("POST", "v1", let name) where path.count == 2:
      guard let verb = Self.verb(name, of: "accounts"), let operation = Operation(rawValue: verb),
        Operation.forClients.contains(operation)
      else { throw missing([name]) }
      return Route(operation, .client)
    default: throw missing(path[1...])
    }
  }

  /// Returns a route below `projects`.
  ///
  /// - Parameter path: The segments after `projects`.
  private static func project(
    _ method: String,
    _ path: [String]
  ) throws(AuthenticationError) -> Route {
    let name = path[0]
    if path.count == 1, method == "POST" {
      // A project's ID may have a colon itself.
      for (verb, operation) in [
        (":createSessionCookie", Operation.createSessionCookie), (":queryAccounts", .query),
      ] where name.hasSuffix(verb) {
        return Route(
          operation,
          .administrator,
          project: String(name.dropLast(verb.count))
        )
      }
    }
    guard path.count == 2 else { throw missing(path[1...]) }
    if method == "POST", path[1] == "accounts" {
      return Route(.signUp, .administrator, project: name)
    }
    guard let verb = verb(path[1], of: "accounts"), let operation = Operation(rawValue: verb),
      Operation.forAdministrators[operation] == method
    else { throw missing(path[1...]) }
    return Route(operation, .administrator, project: name)
  }

  /// Returns the part of a segment after `{resource}:`, or `nil` if the segment is of another
  /// resource.
  private static func verb(_ segment: String, of resource: String) -> String? {
    segment.hasPrefix("\(resource):") ? String(segment.dropFirst(resource.count + 1)) : nil
  }

  // MARK: The older API, which the iOS SDK uses

  private static let olderNames: [String: Operation] = [
    "signupNewUser": .signUp, "verifyPassword": .signInWithPassword, "getAccountInfo": .lookup,
    "setAccountInfo": .update, "deleteAccount": .delete, "getOobConfirmationCode": .sendOobCode,
    "resetPassword": .resetPassword, "createAuthUri": .createAuthUri,
    "emailLinkSignin": .signInWithEmailLink, "verifyAssertion": .signInWithIdp,
    "sendVerificationCode": .sendVerificationCode, "verifyPhoneNumber": .signInWithPhoneNumber,
    "verifyCustomToken": .signInWithCustomToken,
    "getProjectConfig": .getProject, "getRecaptchaParam": .getRecaptchaParams,
  ]

  /// The operations that clients call with GET. The others change accounts or take tokens, which
  /// don't belong in an address: a link on another site could change accounts.
  private static let readOperations: Set<Operation> = [.getProject, .getRecaptchaParams]

  private static func relyingParty(
    _ method: String,
    _ name: String
  ) throws(AuthenticationError) -> Route {
    if let operation = olderNames[name] {
      guard method == (readOperations.contains(operation) ? "GET" : "POST") else {
        throw .notFound
      }
      return Route(operation, .client)
    }
    guard method == "POST" else { throw missing([name]) }
    var route: Route
    switch name {
    case "downloadAccount": route = Route(.batchGet, .administrator)
    case "uploadAccount": route = Route(.batchCreate, .administrator)
    default: throw missing([name])
    }
    route.hasOldForm = true
    return route
  }

  // MARK: The emulator itself

  private static func emulator(
    _ method: String,
    _ path: [String]
  ) throws(AuthenticationError) -> Route {
    guard path.count == 4, path.starts(with: ["v1", "projects"]) else { throw missing(path[...]) }
    let operation: Operation
    switch (method, path[3]) {
    case ("GET", "accounts"): return Route(.listAccounts, .administrator, project: path[2])
    case ("DELETE", "accounts"): operation = .deleteAllAccounts
    case ("GET", "config"): operation = .getSettings
    case ("PATCH", "config"): operation = .updateSettings
    case ("GET", "oobCodes"): operation = .listOobCodes
    case ("GET", "verificationCodes"): operation = .listVerificationCodes
    case ("POST", "idTokens:expire"): operation = .expireIDTokens
    default: throw .notFound
    }
    return Route(operation, .open, project: path[2])
  }
}
