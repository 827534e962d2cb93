package import Core

/// The rules for the names of objects.
///
/// Source: Cloud Storage's page "About Cloud Storage objects".
enum ObjectName {
  private static let maximumBytes = 1_024

  /// - Throws: An error that says what is wrong with a name.
  static func check(_ name: String) throws(StorageError) {
    let count = name.utf8.count
    guard count > 0 else { throw .invalid("the object has no name") }
    guard count <= maximumBytes else {
      throw .invalid("the object's name has \(count) bytes; the limit is \(maximumBytes)")
    }
    guard !name.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
      throw .invalid("the object's name has a line break")
    }
    guard !name.utf8.contains(0) else { throw .invalid("the object's name has a NUL") }
    guard !name.hasSameBytes(as: "."), !name.hasSameBytes(as: "..") else {
      throw .invalid("the object's name is . or ..")
    }
    guard !name.utf8.starts(with: ".well-known/acme-challenge/".utf8) else {
      throw .invalid("the object's name begins with .well-known/acme-challenge/")
    }
  }
}

extension ObjectMetadata {
  /// - Throws: `INVALID_ARGUMENT` that says what is wrong with an object's name.
  package static func checkName(_ name: String) throws(StatusError) {
    do throws(StorageError) {
      try ObjectName.check(name)
    } catch {
      throw error.statusError
    }
  }
}

/// The rules for the names of buckets.
///
/// Source: Cloud Storage's page "About Cloud Storage buckets".
enum BucketName {
  /// - Throws: An error that says how a name must look.
  static func check(_ name: String) throws(StorageError) {
    let bytes = Array(name.utf8)
    let limit = name.contains(".") ? 222 : 63
    let isValid =
      (3...limit).contains(bytes.count) && bytes.allSatisfy(isAllowed)
      && bytes.first.map(isAlphanumeric) == true && bytes.last.map(isAlphanumeric) == true
      && !name.contains("..") && !isAddress(name)
    guard isValid else {
      throw .invalid(
        "Invalid bucket name: \(quoted(name)). Use 3 to 63 lower-case letters, digits, hyphens, "
          + "underscores and dots, with a letter or digit at both ends, and no IP address."
      )
    }
  }

  private static func isAddress(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-_.".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
