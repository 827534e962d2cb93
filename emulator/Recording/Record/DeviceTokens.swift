import Core
import Cryptography
import FirestoreModel
import ProviderFakes

/// The tokens of devices in a recording, and what stands for each.
///
/// Functions name what they keep of a device after its token's hash, which is replaced with it.
struct DeviceTokens {
  private static let members: Set<ByteKey> = ["token", "fcmToken", "fcmTokens"]
  /// The members that name the type of a document's value.
  private static let types: Set<ByteKey> = ["stringValue", "arrayValue", "values"]

  private var replacements: [String: String] = [:]

  /// - Returns: the recording with other tokens.
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

  /// The name of what the chat's documents keep of a device.
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

  /// - Parameter text: a token, a path with one in it, or anything else.
  private func replaced(in text: String) -> String {
    if let replacement = replacements[text] { return replacement }
    guard text.contains("/") else { return text }
    return text.splitAtSlashes.map { replacements[$0] ?? $0 }.joined(separator: "/")
  }
}
