package import Core

/// The caller of a request, as rules see it in `request.auth`.
package struct RulesCaller: Sendable {
  /// `null`, or a map with `uid` and `token`.
  let auth: RulesValue
  /// The user's ID, or `nil` without a token.
  package let uid: String?
  package let claims: JSONObject

  /// A caller without a token.
  package static let nobody = RulesCaller()

  /// The same user without claims, which may be large.
  package var withoutClaims: RulesCaller {
    uid.map { RulesCaller(uid: $0, claims: [:]) } ?? .nobody
  }

  private init() {
    auth = .null
    uid = nil
    claims = [:]
  }

  /// Creates a signed-in user.
  ///
  /// - Parameter claims: All claims of the user's token, which rules see in `request.auth.token`.
  package init(uid: String, claims: JSONObject) {
    auth = .map(.members(UserMembers(uid: uid, claims: claims)))
    self.uid = uid
    self.claims = claims
  }
}

/// The value that stands for a signed-in user. Most rules don't read the claims.
private final class UserMembers: RulesMembers {
  let uid: String
  let claims: JSONObject

  init(uid: String, claims: JSONObject) {
    self.uid = uid
    self.claims = claims
  }

  var keys: [ByteKey] { ["uid", "token"] }

  subscript(key: ByteKey) -> RulesValue? {
    switch key {
    case "uid": .string(uid)
    case "token": RulesValue(.object(claims))
    default: nil
    }
  }
}

extension RulesValue {
  /// Creates the value of a claim. The JSON parser bounds the claims' depth.
  fileprivate init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .boolean(let boolean): self = .boolean(boolean)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .float(number)
    case .string(let string): self = .string(string)
    case .array(let values): self = .list(values.map(RulesValue.init))
    case .object(let members): self = .map(.values(members.mapValues(RulesValue.init)))
    }
  }
}
