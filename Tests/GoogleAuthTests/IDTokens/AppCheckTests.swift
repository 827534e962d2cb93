import Core
import Cryptography
import GoogleAuth
import HTTPService
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)), .enabled(if: OpenSSL.isInstalled))
struct AppCheckTests {
  private static let enforced = [
    "APP_CHECK": "enforce", "GOOGLE_CLOUD_PROJECT_NUMBER": TokenDraft.projectNumber,
  ]

  private func withVerifier(
    _ environment: [String: String] = enforced,
    _ body: (CallerVerifier, SigningKey, KeyServer) async throws -> Void
  ) async throws {
    let key = try await SigningKey.first
    let server = try KeyServer([key])
    defer { server.stop() }
    try await body(try server.verifier(environment), key, server)
  }

  @Test func `the project's app is accepted, with a user and without`() async throws {
    try await withVerifier { verifier, key, server in
      var headers = ["x-firebase-appcheck": try TokenDraft.appCheck().signed(by: key.key)]
      let caller = try await verifier.caller(of: headers)
      #expect(caller == nil)
      #expect(server.server.requests.map(\.target) == ["/jwks"])
      headers["authorization"] = "Bearer \(try TokenDraft.idToken().signed(by: key.key))"
      #expect(try await verifier.caller(of: headers)?.uid == "sarah")
      #expect(server.server.requests.map(\.target) == ["/jwks", "/certificates"])
    }
  }

  @Test func `without an app's token every caller is refused`() async throws {
    try await withVerifier { verifier, key, _ in
      let refusal = unauthenticated("the request has no App Check token")
      #expect(await verifier.refusal(of: [:]) == refusal)
      let token = try TokenDraft.idToken().signed(by: key.key)
      #expect(await verifier.refusal(of: token) == refusal)
    }
  }

  @Test(arguments: [[:], ["APP_CHECK": "Off"], ["APP_CHECK": ""]])
  func `without enforcement the app's token is ignored`(
    environment: [String: String]
  ) async throws {
    try await withVerifier(environment) { verifier, key, server in
      #expect(await verifier.refusal(of: ["x-firebase-appcheck": "nonsense"]) == nil)
      #expect(server.requestCount == 0)
    }
  }

  struct Forgery: Sendable, CustomTestStringConvertible {
    var draft: TokenDraft
    var refusal: String
    var testDescription: String { "\(refusal): \(draft.claims["aud"]?.text ?? "") " }
    init(_ draft: TokenDraft, _ refusal: String) { (self.draft, self.refusal) = (draft, refusal) }
  }

  private static let now = TestClock.start
  private static let good = TokenDraft.appCheck()

  static let forgeries: [Forgery] = [
    .init(good.with(header: "alg", .string("none")), "is not signed with RS256"),
    .init(good.with(header: "alg", .string("HS256")), "is not signed with RS256"),
    .init(good.with(header: "typ", nil), "has a typ other than JWT"),
    .init(good.with(header: "typ", .string("at+jwt")), "has a typ other than JWT"),
    .init(good.with(header: "kid", nil), "has no kid in its header"),
    .init(good.with(header: "kid", .string("x")), "is signed with a key that isn't published"),
    .init(.appCheck(number: "123456789013"), "is for another project"),
    .init(good.with("aud", nil), "is for another project"),
    .init(good.with("aud", .array([])), "is for another project"),
    .init(good.with("aud", .array([.string("projects/worldchat-1")])), "is for another project"),
    .init(good.with("aud", .string("projects/123456789012")), "is for another project"),
    .init(good.with("iss", nil), "is from another issuer"),
    .init(
      good.with("iss", .string("https://firebaseappcheck.googleapis.com/1")),
      "is from another issuer"
    ),
    .init(
      good.with("iss", .string("https://securetoken.google.com/worldchat-1")),
      "is from another issuer"
    ),
    .init(good.with("exp", .integer(now)), "has expired"),
    .init(good.with("exp", nil), "has no valid exp time"),
    .init(good.with("iat", .integer(now + 61)), "is from the future"),
    .init(good.with("sub", nil), "names no app"),
    .init(good.with("sub", .string("")), "names no app"),
    // An ID token of a user isn't an App Check token.
    .init(.idToken(), "is for another project"),
  ]

  @Test(arguments: forgeries)
  func `a token that isn't from the project's own app is refused`(forgery: Forgery) async throws {
    try await withVerifier { verifier, key, _ in
      let token = try forgery.draft.signed(by: key.key)
      let refusal = unauthenticated("the App Check token \(forgery.refusal)")
      #expect(await verifier.refusal(of: ["x-firebase-appcheck": token]) == refusal)
    }
  }

  @Test func `a forged token is refused, and an app's token is no user's`() async throws {
    try await withVerifier { verifier, key, _ in
      let token = try TokenDraft.appCheck().signed(by: try await SigningKey.second.key)
      #expect(
        await verifier.refusal(of: ["x-firebase-appcheck": token])
          == unauthenticated("the App Check token has an invalid signature")
      )
      let good = try TokenDraft.appCheck().signed(by: key.key)
      #expect(
        await verifier.refusal(of: ["x-firebase-appcheck": good, "authorization": "Bearer \(good)"])
          == unauthenticated("the ID token is for another project")
      )
      #expect(
        await verifier.refusal(of: ["x-firebase-appcheck": ""])
          == unauthenticated("the App Check token is not a JSON Web Token")
      )
    }
  }

  @Test func `keys of other types are ignored`() async throws {
    try await withVerifier { verifier, key, server in
      let curve = #"{"kty":"EC","crv":"P-256","kid":"first","x":"AA","y":"AA"}"#
      let other = #"{"kty":"RSA","alg":"RSA-OAEP","use":"enc","kid":"first"}"#
      let plain = key.webKey.object?.filter { $0.key != "use" && $0.key != "alg" } ?? [:]
      let keys = "{\"keys\":[\(curve),\(other),\(JSONValue.object(plain).text)]}"
      server.say(ScriptedAnswer(200, keys))
      let token = try TokenDraft.appCheck().signed(by: key.key)
      #expect(await verifier.refusal(of: ["x-firebase-appcheck": token]) == nil)
    }
  }

  @Test(arguments: [
    (#"{"keys":[]}"#, "there is no key"), (#"{"keys":{}}"#, "there is no key"),
    ("[]", "there is no key"), (#"{"keys":[7]}"#, "there is no key"),
    (#"{"keys":[{"kty":"RSA","kid":"first"}]}"#, "a key has no kid, n or e"),
    (#"{"keys":[{"kty":"RSA","kid":"first","n":"!","e":"AQAB"}]}"#, "a key has no kid, n or e"),
    (
      #"{"keys":[{"kty":"RSA","kid":"first","n":"AQAB","e":"AQAB"}]}"#,
      "the RSA key must have 2048 to 8192 bits and an odd exponent above 1"
    ),
    (#"{"keys":[{"kty":"RSA","kid":"first","n":"","e":""}]}"#, "n and e don't form an RSA key"),
  ])
  func `an invalid key set is reported with the reason`(body: String, reason: String) async throws {
    try await withVerifier { verifier, key, server in
      server.say(ScriptedAnswer(200, body))
      let error = StatusError(
        .unavailable,
        "the keys of App Check can't be fetched: "
          + "\(server.server.url("/jwks")) returned invalid keys: \(reason)",
        retryAfter: .seconds(5)
      )
      let token = try TokenDraft.appCheck().signed(by: key.key)
      #expect(await verifier.refusal(of: ["x-firebase-appcheck": token]) == error)
    }
  }

  @Test func `two keys with one name are an error`() async throws {
    try await withVerifier { verifier, key, server in
      server.publish([key, try await SigningKey.second.named("first")])
      let token = try TokenDraft.appCheck().signed(by: key.key)
      let error = await verifier.refusal(of: ["x-firebase-appcheck": token])
      #expect(error?.message.hasSuffix("two keys have the same kid") == true)
    }
  }
}
