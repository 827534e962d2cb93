import Core

/// A text to search for in accounts. Upper and lower case are equal.
struct SearchText {
  private let bytes: [UInt8]
  /// For each number of matched bytes, less one: how many of them still match if the next byte
  /// doesn't. With this table of Knuth, Morris and Pratt, a search takes linear time, whatever the
  /// texts are.
  private let fallbacks: [Int]

  init(_ text: String) {
    bytes = Array(text.lowercased().utf8)
    var fallbacks = [Int](repeating: 0, count: bytes.count)
    var matched = 0
    for index in bytes.indices.dropFirst() {
      while matched > 0, bytes[matched] != bytes[index] { matched = fallbacks[matched - 1] }
      if bytes[matched] == bytes[index] { matched += 1 }
      fallbacks[index] = matched
    }
    self.fallbacks = fallbacks
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Returns whether the ID, the email address, the name or the phone number of an account contains
  /// the text.
  func isIn(_ account: Account) -> Bool {
    isIn(account.localId) || account.email.map(isIn) ?? false
      || account.displayName.map(isIn) ?? false || account.phoneNumber.map(isIn) ?? false
  }

  private func isIn(_ field: String) -> Bool {
    // Most fields are in ASCII, whose letters need no table of Unicode.
    guard field.utf8.allSatisfy({ $0 < 0x80 }) else { return isIn(field.lowercased().utf8) }
    return isIn(field.utf8.lazy.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
  }

  private func isIn(_ field: some Sequence<UInt8>) -> Bool {
    var matched = 0
    for byte in field {
      while matched > 0, bytes[matched] != byte { matched = fallbacks[matched - 1] }
      if bytes[matched] == byte { matched += 1 }
      if matched == bytes.count { return true }
    }
    return false
  }
}
