import Core

/// The download tokens of an object: whoever has one can read the object, whatever the rules.
///
/// As in production, they are a member of the custom metadata, which only administrators see there.
enum DownloadTokens {
  static let name: ByteKey = "firebaseStorageDownloadTokens"
  /// The maximum number of tokens of an object.
  private static let maximumCount = 100

  /// Returns the tokens of an object.
  static func of(_ attributes: ObjectAttributes) -> [String] {
    attributes.custom[name]?.split(separator: ",").map(String.init) ?? []
  }

  /// Returns whether a token is one of an object's.
  static func has(_ token: String, _ attributes: ObjectAttributes) -> Bool {
    of(attributes).contains { $0.hasSameBytes(as: token) }
  }

  /// Adds a new token.
  static func add(to attributes: inout ObjectAttributes) {
    let tokens = of(attributes).suffix(maximumCount - 1) + [UUID().uuidString.lowercased()]
    attributes.custom[name] = tokens.joined(separator: ",")
  }

  /// Removes a token, so that links with it no longer work.
  static func remove(_ token: String, from attributes: inout ObjectAttributes) {
    let tokens = of(attributes).filter { !$0.hasSameBytes(as: token) }
    attributes.custom[name] = tokens.isEmpty ? nil : tokens.joined(separator: ",")
  }
}
