import Core
import Cryptography
import GoogleAuth
import HTTPService
import TestKit
import Testing

/// Tokens with a correct signature and different claims.
@Suite(.timeLimit(.minutes(10)), .enabled(if: OpenSSL.isInstalled))
struct IDTokenTests {
  private func withVerifier(
    _ body: (CallerVerifier, SigningKey, KeyServer) async throws -> Void
  ) async throws {
    let key = try await SigningKey.first
    let server = try KeyServer([key])
    defer { server.stop() }
    try await body(try server.verifier(), key, server)
  }

  @Test func `a token names the caller, with its claims as they were sent`() async throws {
    try await withVerifier { verifier, key, server in
      let draft = TokenDraft.idToken()
        .with("serial", .integer(9_007_199_254_740_993)).with("name", .string("Zoë \u{1F600}"))
      let token = try draft.signed(by: key.key)
      for scheme in ["Bearer", "bearer", "BEARER"] {
        let caller = try await verifier.caller(of: ["authorization": "\(scheme) \(token)"])
        #expect(caller?.uid == "sarah")
        #expect(try caller?.claims == JSONWebToken(token).payload)
      }
      #expect(server.requestCount == 1)
      #expect(server.server.requests.map(\.target) == ["/certificates"])
    }
  }

  @Test func `without a token there is no caller, and no key is requested`() async throws {
    try await withVerifier { verifier, _, server in
      let caller = try await verifier.caller(of: ["host": "x", "x-firebase-appcheck": "y"])
      #expect(caller == nil)
      #expect(server.requestCount == 0)
    }
  }

  @Test func `a signature is valid only for the key that the header names`() async throws {
    try await withVerifier { verifier, key, server in
      let second = try await SigningKey.second
      server.publish([key, second])
      for (id, signer, refusal) in [
        ("first", key, nil), ("second", second, nil),
        ("first", second, "the ID token has an invalid signature"),
        ("second", key, "the ID token has an invalid signature"),
      ] as [(String, SigningKey, String?)] {
        let token = try TokenDraft.idToken(keyID: id).signed(by: signer.key)
        #expect(await verifier.refusal(of: token) == refusal.map(unauthenticated))
      }
    }
  }

  struct Claim: Sendable, CustomTestStringConvertible {
    var name: String
    /// The claim's value as JSON, or `nil` if the token doesn't have the claim.
    var value: String?
    /// The expected end of the error message, or `nil` if the token must be accepted.
    var refusal: String?
    var testDescription: String { "\(name) \(value?.prefix(60) ?? "none")" }
  }

  private static func claims(_ name: String, _ refusal: String?, _ values: String?...) -> [Claim] {
    values.map { Claim(name: name, value: $0, refusal: refusal) }
  }

  private static func time(_ difference: Int64) -> String { "\(TestClock.start + difference)" }

  private static func user(_ character: String, count: Int) -> String {
    "\"" + String(repeating: character, count: count) + "\""
  }

  private static let audiences: [Claim] = claims(
    "aud",
    "is for another project",
    nil,
    #""worldchat-2""#,
    #""Worldchat-1""#,
    #""""#,
    #"["worldchat-1"]"#,
    "null"
  )

  private static let issuers: [Claim] = claims(
    "iss",
    "is from another issuer",
    nil,
    #""https://securetoken.google.com/worldchat-2""#,
    #""https://securetoken.google.com/worldchat-1/""#,
    #""http://securetoken.google.com/worldchat-1""#,
    #""https://session.firebase.google.com/worldchat-1""#,
    #"["https://securetoken.google.com/worldchat-1"]"#
  )

  private static let users: [Claim] =
    claims("sub", "names no user", nil, #""""#, "7", user("u", count: 129), user("😀", count: 65))
    + claims("sub", nil, user("u", count: 128), user("😀", count: 64))

  private static let times: [Claim] =
    claims("exp", "has expired", time(0), time(-1), "0")
    + claims("exp", nil, time(1), "9223372036854775807")
    + claims("iat", "is from the future", time(61), "9223372036854775807")
    + claims("iat", nil, time(60), "0")
    + claims("auth_time", "is from the future", time(61)) + claims("auth_time", nil, time(60), "0")

  private static let noTimes: [Claim] = ["exp", "iat", "auth_time"].flatMap { name in
    claims(
      name,
      "has no valid \(name) time",
      nil,
      "null",
      "\"\(time(0))\"",
      time(0) + ".5",
      "1e300",
      "-1",
      "true",
      "[]"
    )
  }

  private static let others: [Claim] = claims("user_id", nil, nil) + claims("firebase", nil, nil)

  static let claims: [Claim] = audiences + issuers + users + times + noTimes + others

  @Test(arguments: claims)
  func `a token's claims must be valid`(claim: Claim) async throws {
    try await withVerifier { verifier, key, server in
      let token = try TokenDraft.idToken().with(claim.name, try claim.value.map(json))
        .signed(by: key.key)
      let refusal = claim.refusal.map { unauthenticated("the ID token \($0)") }
      #expect(await verifier.refusal(of: token) == refusal)
      // If the claims are wrong, the verifier doesn't request the keys.
      #expect(server.requestCount == (refusal == nil ? 1 : 0))
    }
  }

  @Test(arguments: ["1900003590.0", "19000035.9e2", "-0", "1900003590000000000000"])
  func `a time is written as an integer`(time: String) async throws {
    try await withVerifier { verifier, key, _ in
      let token = try JSONWebToken(TokenDraft.idToken().signed(by: nil))
      let claims = String(decoding: token.payload, as: UTF8.self)
      let changed = claims.replacing("1900003590", with: time)
      #expect(changed != claims)
      let signed = try JSONWebToken.encode(
        header: JSON.encode(JSONValue.object(token.header)),
        payload: Data(changed.utf8),
        key: key.key
      )
      let refusal = unauthenticated("the ID token has no valid exp time")
      #expect(await verifier.refusal(of: signed) == refusal)
    }
  }

  @Test func `a token expires while its key is cached`() async throws {
    try await withVerifier { verifier, key, server in
      let token = try TokenDraft.idToken().signed(by: key.key)
      #expect(await verifier.refusal(of: token) == nil)
      server.clock.advance(by: 3_589)
      #expect(await verifier.refusal(of: token) == nil)
      server.clock.advance(by: 1)
      #expect(await verifier.refusal(of: token) == unauthenticated("the ID token has expired"))
    }
  }

  @Test func `another project's server refuses the same token`() async throws {
    try await withVerifier { _, key, server in
      let verifier = try server.verifier(["GOOGLE_CLOUD_PROJECT": "worldchat"])
      let token = try TokenDraft.idToken().signed(by: key.key)
      let refusal = unauthenticated("the ID token is for another project")
      #expect(await verifier.refusal(of: token) == refusal)
    }
  }
}
