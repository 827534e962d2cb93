package import Core
import FirestoreModel

/// The account in the format of Firebase's UserInfo.
extension Account {
  /// The account as UserInfo, in which the emulator's responses, exports and the journal have it.
  package var json: JSONValue {
    var members: JSONObject = ["localId": .string(localId)]
    func set(_ name: String, _ text: String?) { members[name] = text.map(JSONValue.string) }
    func set(_ name: String, _ flag: Bool?) { members[name] = flag.map(JSONValue.boolean) }
    func set(_ name: String, _ number: Int64?) { set(name, number.map { String($0) }) }
    set("email", email)
    set("emailVerified", emailVerified)
    set("displayName", displayName)
    set("photoUrl", photoUrl)
    set("phoneNumber", phoneNumber)
    set("disabled", disabled)
    set("passwordHash", password?.hash)
    set("salt", password?.salt)
    members["passwordUpdatedAt"] = password?.updatedAt.map(JSONValue.integer)
    set("emailLinkSignin", emailLinkSignin)
    set("validSince", validSince)
    set("createdAt", createdAt)
    set("lastLoginAt", lastLoginAt)
    set("lastRefreshAt", lastRefreshAt?.javaScriptText)
    set("customAttributes", customAttributes)
    set("customAuth", customAuth)
    set("initialEmail", initialEmail)
    let providers = providers
    if !providers.isEmpty { members["providerUserInfo"] = .array(providers.map(\.json)) }
    return .object(members)
  }

  /// Creates an account from a UserInfo. Unknown fields are ignored.
  ///
  /// - Parameter json: A value that `json` returned, or one of another emulator.
  /// - Throws: An error that names the field if there is no `localId`, or a field has another type.
  package init(json: JSONValue) throws(AuthenticationError) {
    guard let members = json.object else { throw .invalidPayload("the account is not an object") }
    try self.init(fields: RequestFields(members))
  }

  /// Creates an account from the fields of a UserInfo.
  init(fields: RequestFields) throws(AuthenticationError) {
    guard let localId = try fields.text("localId") else { throw .refused("localId is missing") }
    guard try fields.objects("mfaInfo").isEmpty, try fields.text("tenantId") == nil else {
      throw .unimplemented("mfaInfo and tenantId are not implemented in the Auth Emulator.")
    }
    try self.init(localId: localId, fields: fields)
    var indices: [ByteKey: Int] = [:]
    for provider in try fields.objects("providerUserInfo") {
      guard let providerId = try provider.text("providerId"),
        let rawId = try provider.text("rawId"),
        providerId != Self.passwordProvider, providerId != Self.phoneProvider
      else { continue }
      let linked = try LinkedProvider(providerId: providerId, rawId: rawId, fields: provider)
      // Of several links to a provider, the last one counts.
      if let index = indices[providerId] {
        linkedProviders[index] = linked
      } else {
        indices[providerId] = linkedProviders.count
        linkedProviders.append(linked)
      }
    }
  }

  /// Creates an account from the fields of a UserInfo, without the linked providers.
  init(localId: String, fields: RequestFields) throws(AuthenticationError) {
    self.init(localId: localId)
    email = try fields.text("email").map { EmailAddress.canonical($0) }
    emailVerified = try fields.boolean("emailVerified")
    displayName = try fields.string("displayName")
    photoUrl = try fields.string("photoUrl")
    phoneNumber = try fields.text("phoneNumber")
    disabled = try fields.boolean("disabled")
    if let hash = try fields.text("passwordHash") {
      password = StoredPassword(
        hash: hash,
        salt: try fields.string("salt"),
        updatedAt: try fields.integer("passwordUpdatedAt")
      )
    }
    emailLinkSignin = try fields.boolean("emailLinkSignin")
    validSince = try fields.integer("validSince")
    createdAt = try fields.integer("createdAt")
    lastLoginAt = try fields.integer("lastLoginAt")
    lastRefreshAt = try fields.text("lastRefreshAt").flatMap { try? Timestamp($0) }
    customAttributes = try fields.string("customAttributes")
    customAuth = try fields.boolean("customAuth")
    initialEmail = try fields.text("initialEmail")
  }
}
