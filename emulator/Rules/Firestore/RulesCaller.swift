package import Core

/// The caller of a request, as rules see it in `request.auth`.
///
/// It is made once for each token, because a token's claims are many.
package struct RulesCaller: Sendable {
  /// `null`, or a map with `uid` and `token`.
  package let auth: RulesValue

  /// A caller without a token.
  package static let nobody = RulesCaller(auth: .null)

  private init(auth: RulesValue) { self.auth = auth }

  /// Creates a signed-in user.
  ///
  /// - Parameter claims: All claims of the user's token, which rules see in `request.auth.token`.
  package init(uid: String, claims: JSONObject) {
    auth = .map(
      .values(["uid": .string(uid), "token": RulesValue(.object(claims))])
    )
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
