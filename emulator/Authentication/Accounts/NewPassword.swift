import Core

/// A password to store.
///
/// Like Firebase's emulator, this one doesn't hash passwords, so that tests can read them. The
/// prefix `fakeHash:` says so.
struct NewPassword {
  static let minimumLength = 6

  let hash: String
  let salt: String

  /// Creates a password from a request.
  ///
  /// - Throws: `WEAK_PASSWORD` if it is too short. The length is counted in UTF-16 code units.
  init(_ password: String, ids: RandomText) throws(AuthenticationError) {
    guard password.utf16.count >= Self.minimumLength else {
      throw .refused(
        "WEAK_PASSWORD : Password should be at least \(Self.minimumLength) characters"
      )
    }
    self.init(password, salt: "fakeSalt" + ids.alphanumeric(20))
  }

  /// Creates a password from an import, without a minimum length.
  init(_ password: String, salt: String) {
    self.salt = salt
    hash = Self.hash(password, salt: salt)
  }

  private static func hash(_ password: String, salt: String) -> String {
    "fakeHash:salt=\(salt):password=\(password)"
  }

  /// Returns whether a password is the stored one.
  static func matches(_ password: String, _ stored: Account.StoredPassword) -> Bool {
    guard let salt = stored.salt else { return false }
    return hash(password, salt: salt).hasSameBytes(as: stored.hash)
  }
}
