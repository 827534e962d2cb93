import Core

/// A token with which a client gets a new ID token: a JSON object in Base64.
struct RefreshToken: Sendable {
  /// The name of a field that marks the object as a token of an emulator.
  private static let mark = "_AuthEmulatorRefreshToken"

  let localId: String
  /// The provider with which the user signed in.
  let provider: String
  /// The claims of the custom token with which the user signed in.
  let claims: JSONObject
  let project: String
  /// The time of issue in seconds since 1970, or `nil` for a token of an emulator that doesn't
  /// state it.
  let issuedAt: Int64?
  /// The time of the sign-in in seconds since 1970, or `nil` for a token of an emulator that doesn't
  /// state it.
  let authenticatedAt: Int64?

  init(
    localId: String,
    provider: String,
    claims: JSONObject,
    project: String,
    issuedAt: Int64?,
    authenticatedAt: Int64?
  ) {
    self.localId = localId
    self.provider = provider
    self.claims = claims
    self.project = project
    self.issuedAt = issuedAt
    self.authenticatedAt = authenticatedAt
  }

  /// Creates a token by decoding a text.
  ///
  /// - Throws: `INVALID_REFRESH_TOKEN` if the text isn't a refresh token.
  init(_ text: String) throws(AuthenticationError) {
    guard let data = Data(base64Encoded: text),
      let members = (try? JSONValue(parsing: data, limits: JSONLimits(depth: 16)))?.object,
      members[Self.mark] != nil, let localId = members["localId"]?.string,
      let provider = members["provider"]?.string, let project = members["projectId"]?.string
    else { throw .refused("INVALID_REFRESH_TOKEN") }
    func time(_ name: String) -> Int64? {
      if case .integer(let time)? = members[name] { time } else { nil }
    }
    self.init(
      localId: localId,
      provider: provider,
      claims: members["extraClaims"]?.object ?? [:],
      project: project,
      issuedAt: time("issuedAt"),
      authenticatedAt: time("authenticatedAt")
    )
  }

  func encoded() throws(AuthenticationError) -> String {
    var members: JSONObject = [
      "localId": .string(localId), "provider": .string(provider),
      "extraClaims": .object(claims), "projectId": .string(project),
    ]
    members[Self.mark] = .string("DO NOT MODIFY")
    members["issuedAt"] = issuedAt.map(JSONValue.integer)
    members["authenticatedAt"] = authenticatedAt.map(JSONValue.integer)
    do {
      return try JSON.encode(JSONValue.object(members)).base64EncodedString()
    } catch {
      throw AuthenticationError(StatusError(.internal, "the token can't be encoded"))
    }
  }
}
