import Core
import Cryptography
import FirestoreModel
import ProviderFakes

/// The device tokens in a recording, with their replacements.
///
/// Functions name a device's documents after the hash of its token, so the hash is replaced, too.
struct DeviceTokens {
  private static let members: Set<ByteKey> = ["token", "fcmToken", "fcmTokens"]
  /// The names of the fields that give the type of a document's value.
  private static let types: Set<ByteKey> = ["stringValue", "arrayValue", "values"]

  private var replacements: [String: String] = [:]

  /// Returns the recording with all device tokens replaced.
  static func replaced(in recording: ReplayFixture) throws(StatusError) -> ReplayFixture {
    let json = try recording.json
    var tokens = DeviceTokens()
    tokens.find(in: json, isToken: false)
    return try ReplayFixture(tokens.replaced(in: json))
  }

  private mutating func find(in value: JSONValue, isToken: Bool) {
    switch value {
    case .string(let token) where isToken && !token.isEmpty:
      let placeholder = DeviceToken.placeholder(for: token)
      replacements[token] = placeholder
      replacements[Self.hash(token)] = Self.hash(placeholder)
    case .array(let values):
      for value in values { find(in: value, isToken: isToken) }
    case .object(let members):
      for (name, value) in members {
        let isType = isToken && Self.types.contains(name)
        find(in: value, isToken: isType || Self.members.contains(name))
      }
    default: break
    }
  }

  /// Returns the hash of a token, by which the chat's documents name a device.
  private static func hash(_ token: String) -> String {
    "t" + SHA256.hexadecimal(token.utf8).prefix(32)
  }

  private func replaced(in value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(replaced(in: text))
    case .array(let values): .array(values.map(replaced))
    case .object(let members):
      .object(
        JSONObject(
          members.map { (ByteKey(replaced(in: $0.string)), replaced(in: $1)) }
        ) { first, _ in first }
      )
    default: value
    }
  }

  /// Returns a text with its tokens replaced.
  ///
  /// - Parameter text: a token, a path that contains one, or any other text.
  private func replaced(in text: String) -> String {
    if let replacement = replacements[text] { return replacement }
    guard text.contains("/") else { return text }
    return text.splitAtSlashes.map { replacements[$0] ?? $0 }.joined(separator: "/")
  }
}
