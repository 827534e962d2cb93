import Core

extension Account {
  /// Returns whether a new account may have an email address.
  package static func isEmail(_ text: String) -> Bool { (try? EmailAddress.check(text)) != nil }

  /// The minimum length of a new account's password in UTF-16 code units.
  package static var minimumPasswordLength: Int { NewPassword.minimumLength }

  /// Checks the fields of an account that was created elsewhere.
  ///
  /// - Throws: An error whose message says which field is invalid.
  func check() throws(AuthenticationError) {
    try AuthenticationService.checkUserID(localId)
    if let email { _ = try EmailAddress.check(email, or: "email is invalid") }
    if let phoneNumber, !PhoneNumber.isValid(phoneNumber) {
      throw .refused("phone number format is invalid")
    }
    if let customAttributes, !customAttributes.isEmpty,
      let failure = CustomClaims.failure(of: customAttributes)
    {
      throw .refused(failure.explanation)
    }
  }
}
