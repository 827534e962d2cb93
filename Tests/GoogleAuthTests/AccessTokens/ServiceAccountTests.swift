import Core
import Cryptography
import Foundation
import GoogleAuth
import HTTPClient
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ServiceAccountTests {
  private static let key = Result { try RSAKey.generate() }
  private static let variable = "GOOGLE_APPLICATION_CREDENTIALS"

  /// Runs `body` with the path of a file that has this content.
  private func withFile<Success>(
    _ content: String,
    _ body: (String) async throws -> Success
  ) async throws -> Success {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(content.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await body(file.path)
  }

  private func keyFile(tokenURI: String, type: String? = "service_account") throws -> String {
    var members = [
      "client_email": "robot@p.iam.gserviceaccount.com", "private_key_id": "k1",
      "private_key": try Self.key.get().pem(), "token_uri": tokenURI, "project_id": "p",
    ]
    members["type"] = type
    return try text(members)
  }

  private func token(
    _ server: LoopbackServer,
    deadline: ContinuousClock.Instant = .generous
  ) async throws -> AccessToken {
    try await withFile(keyFile(tokenURI: server.url("/token"))) { path in
      try await ServiceAccount(path: path, transport: .forTests()) { 1_700_000_000 }
        .accessToken(deadline: deadline)
    }
  }

  @Test func `an account signs a request for a token that all of Google's APIs accept`()
    async throws
  {
    let server = try LoopbackServer(answers: [
      .init(200, #"{"access_token":"ya29.x","expires_in":3599,"token_type":"Bearer"}"#)
    ])
    defer { server.stop() }
    let before = ContinuousClock.now
    let token = try await token(server)
    #expect(token.authorization == "Bearer ya29.x")
    #expect(token.expiry >= before + .seconds(3_599))
    #expect(token.expiry <= .now + .seconds(3_599))

    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/token")
    #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    let form = String(decoding: request.body, as: UTF8.self)
    let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
    #expect(form.hasPrefix(prefix))
    let assertion = try JSONWebToken(String(form.dropFirst(prefix.count)))
    #expect(
      try Self.key.get().verifies(assertion.signature, of: Data(assertion.signedPart.utf8))
    )
    #expect(
      assertion.header
        == ["alg": .string("RS256"), "kid": .string("k1"), "typ": .string("JWT")]
    )
    // Google requires this audience, whatever URL the request is sent to.
    #expect(
      String(decoding: assertion.payload, as: UTF8.self)
        == #"{"aud":"https://oauth2.googleapis.com/token","exp":1700003600,"iat":1700000000,"#
        + #""iss":"robot@p.iam.gserviceaccount.com","#
        + #""scope":"https://www.googleapis.com/auth/cloud-platform "#
        + "https://www.googleapis.com/auth/firebase.database "
        + #"https://www.googleapis.com/auth/userinfo.email"}"#
    )
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var answer: ScriptedAnswer
    var error: StatusError
    var testDescription: String { "\(answer.status) \(answer.body)" }
  }

  private static func refused(_ detail: String) -> StatusError {
    .configuration(
      .unauthenticated,
      "GOOGLE_APPLICATION_CREDENTIALS: the token endpoint refused the service account: \(detail)"
    )
  }
  private static let nonsense = StatusError(
    .unavailable,
    "the token endpoint returned no valid token"
  )

  static let failures: [Failure] = [
    .init(
      answer: .init(
        400,
        #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#
      ),
      error: refused(
        #"400 "invalid_grant"; was the key withdrawn, or is this machine's clock wrong?"#
      )
    ),
    .init(
      answer: .init(401, #"{"error":"invalid_client"}"#),
      error: refused(#"401 "invalid_client""#)
    ),
    .init(answer: .init(403, "<html>no</html>"), error: refused(#"403 """#)),
    .init(answer: .init(404), error: refused(#"404 """#)),
    .init(
      answer: .init(302, headers: ["Location: http://localhost/"]),
      error: .configuration(
        .failedPrecondition,
        "GOOGLE_APPLICATION_CREDENTIALS: the token endpoint answered 302: set the final URL, "
          + "since redirects are not followed"
      )
    ),
    .init(
      answer: .init(500, "<html>"),
      error: StatusError(.unavailable, "the token endpoint answered 500")
    ),
    .init(
      answer: .init(429, headers: ["Retry-After: 40"]),
      error: StatusError(
        .unavailable,
        "the token endpoint answered 429",
        retryAfter: .seconds(40)
      )
    ),
    .init(answer: .init(200), error: nonsense),
    .init(answer: .init(200, "<html>"), error: nonsense),
    .init(answer: .init(200, #"{"access_token":7,"expires_in":3599}"#), error: nonsense),
    .init(answer: .init(200, #"{"access_token":"t","expires_in":"soon"}"#), error: nonsense),
    .init(answer: .init(200, #"{"access_token":"t","expires_in":1e40}"#), error: nonsense),
    .init(answer: .init(200, #"{"access_token":"t"}"#), error: nonsense),
    .init(answer: .init(200, #"{"access_token":"","expires_in":3599}"#), error: nonsense),
    .init(answer: .init(200, #"{"access_token":"a\nb","expires_in":3599}"#), error: nonsense),
    .init(answer: .init(200, #"{"access_token":"t","expires_in":0}"#), error: nonsense),
    .init(answer: .init(200, #"{"access_token":"t","expires_in":-9}"#), error: nonsense),
  ]

  @Test(arguments: failures)
  func `a refused account is a configuration error, and any other failure is temporary`(
    failure: Failure
  ) async throws {
    let server = try LoopbackServer(answers: [failure.answer])
    defer { server.stop() }
    await #expect(throws: failure.error) { try await token(server) }
  }

  @Test func `a token with an excessive lifetime is renewed the next day`() async throws {
    let server = try LoopbackServer(answers: [
      .init(200, #"{"access_token":"t","expires_in":9223372036854775807}"#)
    ])
    defer { server.stop() }
    #expect(try await token(server).expiry <= .now + .seconds(86_400))
  }

  @Test func `a response too long for a token is not read to its end`() async throws {
    let server = try LoopbackServer(answers: [
      .init(200, #"{"access_token":""# + String(repeating: "t", count: 100_000) + #"""#)
    ])
    defer { server.stop() }
    let error = await #expect(throws: StatusError.self) { try await token(server) }
    #expect(error?.code == .unavailable)
  }

  @Test func `an endpoint that hangs fails at the deadline`() async throws {
    let server = try LoopbackServer { _, connection in connection.stall() }
    defer { server.stop() }
    let error = await #expect(throws: StatusError.self) {
      try await token(server, deadline: .now + .milliseconds(300))
    }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func `a temporary failure is retried`() async throws {
    let server = try LoopbackServer(answers: [
      .init(503), .init(200, #"{"access_token":"t","expires_in":1}"#),
    ])
    defer { server.stop() }
    #expect(try await token(server).authorization == "Bearer t")
    #expect(server.requests.count == 2)
  }

  // MARK: The key file

  @Test(arguments: [
    ("", "the key file is empty"),
    ("not JSON", "the key file is not valid JSON, or has a number out of range"),
    ("[]", "the key file has the wrong type (expected an object)"),
    ("{}", #"the key file has no "client_email""#),
    (
      #"{"type":"authorized_user","client_id":"c","client_secret":"SECRET","refresh_token":"SECRET"}"#,
      "only keys of service accounts are supported"
    ),
    (#"{"client_email":"a@b"}"#, #"the key file has no "private_key""#),
    (
      #"{"client_email":"a@b","private_key":7}"#,
      #"the key file has the wrong type at "private_key" (expected a string)"#
    ),
  ])
  func `a file without a service account's key is reported by variable, without its content`(
    content: String,
    reason: String
  ) async throws {
    let error = StatusError.configuration(.failedPrecondition, "\(Self.variable): \(reason)")
    await #expect(throws: error) {
      try await withFile(content) { try ServiceAccount(path: $0, transport: .forTests()) { 0 } }
    }
  }

  /// The error is thrown by the first request for a token, because the key is parsed then.
  @Test func `an error names the variable of an invalid key`() async throws {
    for (pem, reason) in [
      ("SECRET", "the private key is not PKCS#8 in PEM format"),
      (PrivateKeys.ellipticCurve, "the private key is not an RSA key"),
      (PrivateKeys.encrypted, "the private key is not PKCS#8 in PEM format"),
    ] {
      let error = StatusError.configuration(.failedPrecondition, "\(Self.variable): \(reason)")
      await #expect(throws: error) {
        try await withFile(text(["client_email": "a@b", "private_key": pem])) {
          try await ServiceAccount(path: $0, transport: .forTests()) { 0 }
            .accessToken(deadline: .now + .seconds(10))
        }
      }
    }
  }

  @Test(arguments: ["/nowhere/key.json", "/", ""])
  func `an error names the variable of an unreadable file`(path: String) {
    let error = StatusError.configuration(
      .failedPrecondition,
      "\(Self.variable): the file can't be read"
    )
    #expect(throws: error) { try ServiceAccount(path: path, transport: .forTests()) { 0 } }
  }

  @Test func `a file without a type is accepted as a service account's`() async throws {
    let content = try keyFile(tokenURI: "http://localhost", type: nil)
    try await withFile(content) { path in
      #expect(throws: Never.self) { try ServiceAccount(path: path, transport: .forTests()) { 0 } }
    }
  }
}
