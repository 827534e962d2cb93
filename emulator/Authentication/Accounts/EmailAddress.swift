/// The grammar of email addresses, which is as loose as that of Firebase's emulator.
enum EmailAddress {
  /// The maximum length of an address in UTF-8 bytes, so that codes for it take little memory.
  private static let maximumLength = 1_000

  /// Returns the form in which addresses are stored and compared.
  static func canonical(_ text: String) -> String { text.lowercased() }

  /// Returns the canonical form of an address.
  ///
  /// - Parameter error: The error's message, such as `INVALID_EMAIL`.
  /// - Throws: The error if the text has no `@` between other characters, has several, or is too
  ///   long.
  static func check(
    _ text: String,
    or error: String = "INVALID_EMAIL"
  ) throws(AuthenticationError) -> String {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard text.utf8.count <= maximumLength, parts.count == 2, !parts.contains(where: \.isEmpty)
    else { throw .refused(error) }
    return canonical(text)
  }
}

/// The grammar of phone numbers, which is as loose as that of Firebase's emulator.
enum PhoneNumber {
  /// The maximum length of a number in UTF-8 bytes.
  private static let maximumLength = 100

  /// Returns a phone number.
  ///
  /// - Throws: `INVALID_PHONE_NUMBER` if the text can't be one.
  static func check(_ text: String) throws(AuthenticationError) -> String {
    guard isValid(text) else { throw .refused("INVALID_PHONE_NUMBER : Invalid format.") }
    return text
  }

  /// Returns whether a text can be a phone number: it begins with `+`, and isn't too long.
  static func isValid(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "+") && text.utf8.count <= maximumLength
  }
}
