import Core
import Cryptography

/// The checks of new values that several operations share.
extension AuthenticationService {
  /// Returns an email address in lower case.
  ///
  /// - Throws: `INVALID_EMAIL`, or `EMAIL_EXISTS` if an account has it.
  func checkNewEmail(_ text: String, in edit: AccountEdit) throws(AuthenticationError) -> String {
    let email = try EmailAddress.check(text)
    guard edit.account(email: email) == nil else { throw .refused("EMAIL_EXISTS") }
    return email
  }

  /// Returns a phone number.
  ///
  /// - Throws: `INVALID_PHONE_NUMBER`, or `PHONE_NUMBER_EXISTS` if an account has it.
  func checkNewPhoneNumber(
    _ text: String,
    in edit: AccountEdit
  ) throws(AuthenticationError) -> String {
    let number = try PhoneNumber.check(text)
    guard edit.account(phoneNumber: number) == nil else { throw .refused("PHONE_NUMBER_EXISTS") }
    return number
  }

  /// Checks an ID that an administrator chose.
  static func checkUserID(_ id: String) throws(AuthenticationError) {
    guard CallerIdentity.isUserID(id) else {
      throw .refused("INVALID_LOCAL_ID : A user ID has at most 128 characters.")
    }
  }
}
