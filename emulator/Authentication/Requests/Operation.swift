/// An operation of the Identity Toolkit API, the Secure Token API or the emulator itself.
enum Operation: String, Sendable {
  // Operations on accounts: the raw values are the names in URLs.
  case signUp
  case signInWithPassword
  case signInWithCustomToken
  case signInWithEmailLink
  case signInWithIdp
  case sendVerificationCode
  case signInWithPhoneNumber
  case lookup
  case update
  case delete
  case sendOobCode
  case resetPassword
  case createAuthUri

  // Operations for administrators.
  case batchGet
  case batchCreate
  case batchDelete
  case query
  case createSessionCookie

  case grantToken

  // Facts about the project.
  case getProject
  case getRecaptchaParams
  case getRecaptchaConfig
  case getPasswordPolicy

  // Operations of the emulator itself.
  case listAccounts
  case deleteAllAccounts
  case getSettings
  case updateSettings
  case listOobCodes
  case listVerificationCodes
  case expireIDTokens

  /// The operations that clients call as `accounts:{name}`.
  static let forClients: Set<Operation> = [
    .signUp, .signInWithPassword, .signInWithCustomToken, .signInWithEmailLink, .signInWithIdp,
    .sendVerificationCode, .signInWithPhoneNumber, .lookup, .update, .delete, .sendOobCode,
    .resetPassword, .createAuthUri,
  ]

  /// The operations that administrators call as `projects/{project}/accounts:{name}`, and their
  /// HTTP methods.
  static let forAdministrators: [Operation: String] = [
    .lookup: "POST", .update: "POST", .delete: "POST", .sendOobCode: "POST", .query: "POST",
    .batchGet: "GET", .batchCreate: "POST", .batchDelete: "POST",
  ]
}
