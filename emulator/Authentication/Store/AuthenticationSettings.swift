package import Core

/// The settings of a project's authentication that clients and tests can change.
package struct AuthenticationSettings: Sendable, Hashable {
  /// A Boolean value that indicates whether responses hide which email addresses have accounts.
  package var hidesEmails = false
  /// A Boolean value that indicates whether each identity at a provider such as Google gets its own
  /// account, whoever has the identity's email address. Such an account has no email address itself.
  package var allowsDuplicateEmails = false
  package var allowsAnonymousUsers = true
  package var allowsPasswords = true
  package var allowsEmailLinks = true

  package init() {}

  /// The settings in the format of Firebase's `config.json`. Settings that Firebase's emulator
  /// doesn't have there are left out if they have their default.
  package var json: JSONValue {
    var signIn: JSONObject = ["allowDuplicateEmails": .boolean(allowsDuplicateEmails)]
    if !allowsAnonymousUsers { signIn["anonymous"] = .object(["enabled": .boolean(false)]) }
    if !allowsPasswords || !allowsEmailLinks {
      signIn["email"] = .object([
        "enabled": .boolean(allowsPasswords), "passwordRequired": .boolean(!allowsEmailLinks),
      ])
    }
    return .object([
      "signIn": .object(signIn),
      "emailPrivacyConfig": .object(["enableImprovedEmailPrivacy": .boolean(hidesEmails)]),
    ])
  }

  /// Creates settings from `json`.
  package init(json: JSONValue) throws(AuthenticationError) {
    guard let members = json.object else { throw .invalidPayload("the settings are not an object") }
    try apply(RequestFields(members))
  }

  /// Changes the settings that a request has, and leaves the others.
  mutating func apply(_ fields: RequestFields) throws(AuthenticationError) {
    if let signIn = try fields.object("signIn") {
      if let allows = try signIn.boolean("allowDuplicateEmails") { allowsDuplicateEmails = allows }
      if let enabled = try signIn.object("anonymous")?.boolean("enabled") {
        allowsAnonymousUsers = enabled
      }
      if let email = try signIn.object("email") {
        allowsPasswords = try email.boolean("enabled") ?? allowsPasswords
        if let required = try email.boolean("passwordRequired") { allowsEmailLinks = !required }
      }
    }
    if let privacy = try fields.object("emailPrivacyConfig"),
      let hides = try privacy.boolean("enableImprovedEmailPrivacy")
    {
      hidesEmails = hides
    }
  }
}
