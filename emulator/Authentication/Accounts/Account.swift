import Core
package import FirestoreModel

/// An account of Firebase Authentication.
package struct Account: Sendable {
  /// The user's ID.
  package let localId: String
  /// The email address in lower case.
  package var email: String?
  package var emailVerified: Bool?
  package var displayName: String?
  package var photoUrl: String?
  package var phoneNumber: String?
  package var disabled: Bool?
  /// The linked accounts of other providers, such as Google. The providers `password` and `phone`
  /// follow from the other fields, and aren't listed here.
  package var linkedProviders: [LinkedProvider] = []
  package var password: StoredPassword?
  /// A Boolean value that indicates whether the user signs in with links sent by email.
  package var emailLinkSignin: Bool?
  /// The time in seconds since 1970 from which tokens are valid. Older ones are revoked.
  package var validSince: Int64?
  /// The time of creation in milliseconds since 1970.
  package var createdAt: Int64?
  /// The time of the last sign-in in milliseconds since 1970.
  package var lastLoginAt: Int64?
  /// The time at which the last ID token was issued.
  package var lastRefreshAt: Timestamp?
  /// The custom claims: a JSON object as text.
  package var customAttributes: String?
  /// A Boolean value that indicates whether the user signed in with a custom token.
  package var customAuth: Bool?
  /// The first email address, to which a change of the address can be reverted.
  package var initialEmail: String?

  package init(localId: String) { self.localId = localId }

  /// The password, as the emulator stores it.
  package struct StoredPassword: Sendable {
    package var hash: String
    package var salt: String?
    /// The time of the last change in milliseconds since 1970.
    package var updatedAt: Int64?
  }
}

extension Account {
  /// The ID of the provider of accounts with an email address and a password.
  static let passwordProvider = "password"
  static let phoneProvider = "phone"
  static let anonymousProvider = "anonymous"
  static let customProvider = "custom"

  /// A Boolean value that indicates whether the user can sign in with the email address.
  var hasPasswordProvider: Bool {
    email != nil && (password != nil || emailLinkSignin == true)
  }

  /// All providers of the account, also those that follow from its email address and phone number.
  package var providers: [LinkedProvider] {
    var providers: [LinkedProvider] = []
    if let email, hasPasswordProvider {
      providers.append(
        LinkedProvider(
          providerId: Self.passwordProvider,
          rawId: email,
          federatedId: email,
          email: email,
          displayName: displayName,
          photoUrl: photoUrl
        )
      )
    }
    if let phoneNumber {
      providers.append(
        LinkedProvider(
          providerId: Self.phoneProvider,
          rawId: phoneNumber,
          phoneNumber: phoneNumber
        )
      )
    }
    return providers + linkedProviders
  }

  /// Links a provider. It replaces an earlier link to the same provider.
  mutating func link(_ provider: LinkedProvider) {
    unlink([provider.providerId])
    linkedProviders.append(provider)
  }

  /// Removes the links to providers, and the fields from which they follow.
  mutating func unlink(_ providers: [String]) {
    let ids = Set(providers.map { ByteKey($0) })
    if ids.contains(ByteKey(Self.passwordProvider)) {
      removeEmail()
      password = nil
    }
    if ids.contains(ByteKey(Self.phoneProvider)) { phoneNumber = nil }
    linkedProviders.removeAll { ids.contains(ByteKey($0.providerId)) }
  }

  mutating func removeEmail() {
    email = nil
    emailVerified = nil
    emailLinkSignin = nil
  }

  /// Sets the password, and revokes all tokens issued before.
  mutating func setPassword(_ password: NewPassword, at time: Timestamp) {
    self.password = StoredPassword(
      hash: password.hash,
      salt: password.salt,
      updatedAt: time.milliseconds
    )
    validSince = time.seconds
  }
}

extension Timestamp {
  /// The milliseconds since 1970, rounded down.
  var milliseconds: Int64 { seconds * 1_000 + Int64(nanoseconds / 1_000_000) }

  /// The time in RFC 3339 with three digits after the seconds, as JavaScript writes it.
  var javaScriptText: String {
    let text = Timestamp(
      seconds: seconds,
      nanoseconds: nanoseconds / 1_000_000 * 1_000_000
    ).description
    return text.contains(".") ? text : String(text.dropLast()) + ".000Z"
  }
}
