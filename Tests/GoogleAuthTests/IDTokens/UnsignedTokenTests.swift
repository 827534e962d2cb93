import Core
import Cryptography
import GoogleAuth
import HTTPService
import TestKit
import Testing

/// Unsigned tokens, and the environment variables of the verifier.
@Suite(.timeLimit(.minutes(10)))
struct UnsignedTokenTests {
  private static let demo = "demo-worldchat"

  private func verifier(_ environment: [String: String] = [:]) throws -> CallerVerifier {
    let standard = [
      "GOOGLE_CLOUD_PROJECT": Self.demo, "FIREBASE_AUTH_EMULATOR_HOST": "127.0.0.1:9099",
    ]
    return try CallerVerifier(
      environment: standard.merging(environment) { $1 },
      transport: .forTests(),
      clock: TestClock().clock
    )
  }

  private let draft = TokenDraft.idToken(project: demo).with(header: "alg", .string("none"))
    .with(header: "kid", nil)

  @Test func `with the Auth emulator a demo project accepts unsigned tokens`() async throws {
    let token = try draft.signed(by: nil)
    #expect(token.hasSuffix("."))
    let caller = try await verifier().caller(with: token)
    #expect(caller?.uid == "sarah")
    #expect(try caller?.claims == JSONWebToken(token).payload)
  }

  @Test(
    arguments: [
      ("aud", #""demo-other""#, "is for another project"), ("aud", nil, "is for another project"),
      ("iss", #""https://securetoken.google.com/demo-other""#, "is from another issuer"),
      ("exp", "1899999999", "has expired"), ("exp", nil, "has no valid exp time"),
      ("iat", "1900000061", "is from the future"), ("sub", nil, "names no user"),
    ] as [(String, String?, String)]
  )
  func `an unsigned token's claims must be valid, too`(
    claim: String,
    value: String?,
    reason: String
  ) async throws {
    let token = try draft.with(claim, try value.map(json)).signed(by: nil)
    let verifier = try verifier()
    #expect(await verifier.refusal(of: token) == unauthenticated("the ID token \(reason)"))
  }

  @Test func `a signed token is refused there, as its signature isn't checked`() async throws {
    let (key, verifier) = (try RSAKey.generate(), try verifier())
    let signed = try TokenDraft.idToken(project: Self.demo).signed(by: key)
    let refusal = unauthenticated("the ID token is not unsigned")
    #expect(await verifier.refusal(of: signed) == refusal)
    let contradictory = try draft.signed(by: key)
    let other = unauthenticated("the ID token has a signature although its alg is none")
    #expect(await verifier.refusal(of: contradictory) == other)
  }

  @Test(arguments: [nil, ""])
  func `without the variable a demo project refuses unsigned tokens`(variable: String?) async throws
  {
    let environment = ["GOOGLE_CLOUD_PROJECT": Self.demo, "FIREBASE_AUTH_EMULATOR_HOST": variable]
    let verifier = try CallerVerifier(
      environment: environment.compactMapValues(\.self),
      transport: .forTests(),
      clock: TestClock().clock
    )
    let refusal = unauthenticated("the ID token is not signed with RS256")
    #expect(try await verifier.refusal(of: draft.signed(by: nil)) == refusal)
  }

  @Test(arguments: ["worldchat-1", "demo", "Demo-worldchat", "my-demo-worldchat", " demo-x"])
  func `the variable is refused in any other project`(project: String) {
    let error = statusError { try verifier(["GOOGLE_CLOUD_PROJECT": project]) }
    #expect(error?.fault == .configuration)
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("FIREBASE_AUTH_EMULATOR_HOST is set") == true)
    #expect(error?.message.contains("only for projects that begin with demo-") == true)
    #expect(error?.message.contains(quoted(project)) == true)
  }

  @Test(arguments: [
    (["GOOGLE_CLOUD_PROJECT": ""], "GOOGLE_CLOUD_PROJECT is not set"),
    (["APP_CHECK": "yes"], "APP_CHECK is neither enforce nor off"),
    (
      ["APP_CHECK": "enforce"],
      "GOOGLE_CLOUD_PROJECT_NUMBER is not set or not a number; APP_CHECK=enforce needs it"
    ),
    (
      ["APP_CHECK": "enforce", "GOOGLE_CLOUD_PROJECT_NUMBER": "worldchat"],
      "GOOGLE_CLOUD_PROJECT_NUMBER is not set or not a number; APP_CHECK=enforce needs it"
    ),
    (["ID_TOKEN_KEYS_URL": "http://192.0.2.1/"], "ID_TOKEN_KEYS_URL is not a URL on this machine"),
    (["ID_TOKEN_KEYS_URL": "https://evil.test/"], "ID_TOKEN_KEYS_URL is not a URL on this machine"),
    (
      ["ID_TOKEN_KEYS_URL": "http://127.0.0.1.evil.test/"],
      "ID_TOKEN_KEYS_URL is not a URL on this machine"
    ),
    (["ID_TOKEN_KEYS_URL": "file:///etc/passwd"], "ID_TOKEN_KEYS_URL is not a URL on this machine"),
    (["APP_CHECK_KEYS_URL": "https://x.test"], "APP_CHECK_KEYS_URL is not a URL on this machine"),
  ])
  func `an invalid variable is named`(environment: [String: String], reason: String) {
    let error = StatusError.configuration(.failedPrecondition, reason)
    #expect(throws: error) { try verifier(environment) }
  }

  @Test(arguments: ["http://127.0.0.1:1/x", "http://localhost:1/x", "http://[::1]:1/x"])
  func `keys may be published elsewhere on this machine`(url: String) throws {
    _ = try verifier(["ID_TOKEN_KEYS_URL": url, "APP_CHECK_KEYS_URL": url])
  }
}
