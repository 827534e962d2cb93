import Core
import Cryptography
import GoogleAuth
import TestKit
import Testing

/// Forged tokens, and valid tokens that were changed.
@Suite(.timeLimit(.minutes(10)), .enabled(if: OpenSSL.isInstalled))
struct ForgedTokenTests {
  private func withVerifier(
    _ body: (CallerVerifier, SigningKey, KeyServer) async throws -> Void
  ) async throws {
    let key = try await SigningKey.first
    let server = try KeyServer([key])
    defer { server.stop() }
    try await body(try server.verifier(), key, server)
  }

  // MARK: Algorithms

  @Test(arguments: [
    "none", "None", "NONE", "HS256", "HS512", "ES256", "PS256", "RS384", "RS512", "rs256", "",
    "RSA",
  ])
  func `only RS256 is accepted, with any signature`(algorithm: String) async throws {
    try await withVerifier { verifier, key, server in
      let draft = TokenDraft.idToken().with(header: "alg", .string(algorithm))
      for signer in [key.key, nil] {
        let refusal = unauthenticated("the ID token is not signed with RS256")
        let token = try draft.signed(by: signer)
        #expect(await verifier.refusal(of: token) == refusal)
      }
      #expect(server.requestCount == 0)
    }
  }

  @Test func `an algorithm that is no text is refused`() async throws {
    try await withVerifier { verifier, key, _ in
      for value in [nil, .null, .array([.string("RS256")]), .integer(256)] as [JSONValue?] {
        let token = try TokenDraft.idToken().with(header: "alg", value).signed(by: key.key)
        let refusal = unauthenticated("the ID token is not signed with RS256")
        #expect(await verifier.refusal(of: token) == refusal)
      }
    }
  }

  @Test func `a token without a signature is refused even if it claims RS256`() async throws {
    try await withVerifier { verifier, _, _ in
      let refusal = unauthenticated("the ID token has an invalid signature")
      let token = try TokenDraft.idToken().signed(by: nil)
      #expect(await verifier.refusal(of: token) == refusal)
    }
  }

  /// Everybody knows the public key. If the verifier used it as a secret, everybody could sign
  /// tokens.
  @Test func `a token signed with the public key as a secret is refused`() async throws {
    try await withVerifier { verifier, key, _ in
      let publicKey = try await OpenSSL.run(
        "x509",
        "-noout",
        "-pubkey",
        input: key.certificate
      )
      for (secret, algorithm) in [
        (key.certificate, "HS256"), (publicKey, "HS256"), (publicKey, "RS256"),
      ] {
        let draft = TokenDraft.idToken().with(header: "alg", .string(algorithm))
        let signedPart = try JSONWebToken(draft.signed(by: nil)).signedPart
        let signature = try await OpenSSL.hmac(signedPart, secret: secret)
        #expect(signature.count == 32)
        let token = signedPart + "." + Base64URL.encode(Data(signature))
        #expect(await verifier.refusal(of: token)?.code == .unauthenticated)
      }
    }
  }

  // MARK: Key names

  @Test(arguments: [
    "../../etc/passwd", "../../../../dev/null", "/dev/null", "file:///etc/passwd",
    "https://evil.test/keys.json", "http://127.0.0.1:1/", "first ", " first", "FIRST", "first\u{0}",
    "first,second", "first' OR '1'='1", "*", "%66irst", "__proto__", "constructor",
    "/first", "../first", "keys/first",
  ])
  func `a key's name is only looked up`(name: String) async throws {
    try await withVerifier { verifier, key, server in
      let token = try TokenDraft.idToken(keyID: name).signed(by: key.key)
      let refusal = unauthenticated("the ID token is signed with a key that isn't published")
      #expect(await verifier.refusal(of: token) == refusal)
      #expect(server.server.requests.map(\.target) == ["/certificates"])
    }
  }

  @Test(
    arguments: [nil, "null", #""""#, "0", #"["first"]"#] as [String?]
  )
  func `a token without a key id is refused`(name: String?) async throws {
    try await withVerifier { verifier, key, server in
      let token = try TokenDraft.idToken().with(header: "kid", try name.map(json)).signed(
        by: key.key
      )
      let refusal = unauthenticated("the ID token has no kid in its header")
      #expect(await verifier.refusal(of: token) == refusal)
      #expect(server.requestCount == 0)
    }
  }

  @Test func `a key inside a token is ignored`() async throws {
    try await withVerifier { verifier, _, server in
      let forger = try await SigningKey.second
      for (header, value) in [
        ("jwk", forger.webKey), ("jku", .string(server.server.url("/forged"))),
        ("x5u", .string(server.server.url("/forged"))),
        ("x5c", .array([.string(forger.certificate)])),
      ] as [(String, JSONValue)] {
        let token = try TokenDraft.idToken().with(header: header, value).signed(by: forger.key)
        let refusal = unauthenticated("the ID token has an invalid signature")
        #expect(await verifier.refusal(of: token) == refusal)
      }
      #expect(server.server.requests.map(\.target) == ["/certificates"])
    }
  }

  @Test func `an unknown header is refused`() async throws {
    try await withVerifier { verifier, key, _ in
      let draft = TokenDraft.idToken()
      let critical = draft.with(header: "crit", .array([.string("b64")]))
      #expect(
        await verifier.refusal(of: try critical.signed(by: key.key))
          == unauthenticated("the ID token has the unsupported header crit")
      )
      for type in [nil, .string("at+jwt"), .string("JWE"), .integer(1)] as [JSONValue?] {
        let token = try draft.with(header: "typ", type).signed(by: key.key)
        let refusal = unauthenticated("the ID token has a typ other than JWT")
        #expect(await verifier.refusal(of: token) == refusal)
      }
    }
  }

  // MARK: Form

  @Test(arguments: [
    "", "Bearer", "Basic c2FyYWg6eA==", "Token abc", "abc", "Bearer\tabc", "Bearerabc",
  ])
  func `an Authorization header other than Bearer is refused`(header: String) async throws {
    try await withVerifier { verifier, _, _ in
      let refusal = unauthenticated(
        "the Authorization header must be Bearer followed by an ID token"
      )
      #expect(await verifier.refusal(of: ["authorization": header]) == refusal)
    }
  }

  /// - Parameter change: returns the changed token for the three parts of a valid one.
  private func expectNoToken(
    _ change: (_ header: String, _ payload: String, _ signature: String) -> String
  ) async throws {
    try await withVerifier { verifier, key, server in
      let parts = try TokenDraft.idToken().signed(by: key.key).split(separator: ".").map(
        String.init
      )
      let token = change(parts[0], parts[1], parts[2])
      let refusal = unauthenticated("the ID token is not a JSON Web Token")
      #expect(await verifier.refusal(of: token) == refusal, "\(token.prefix(80))")
      #expect(server.requestCount == 0)
    }
  }

  @Test func `a token has three parts of base64url, and the first two are objects`() async throws {
    for text in [
      "", ".", "..", "owner", "a.b.c", "é.é.é", "null", String(repeating: ".", count: 500),
    ] {
      try await expectNoToken { _, _, _ in text }
    }
    try await expectNoToken { header, payload, _ in "\(header).\(payload)" }
    try await expectNoToken { "\($0).\($1).\($2).\($2)" }
    try await expectNoToken { "\($0).\($1).\($2)." }
    try await expectNoToken { " \($0).\($1).\($2)" }
    try await expectNoToken { "\($0).\($1).\($2) " }
    try await expectNoToken { "\($0).\($1).\($2)\r\nX-Evil: 1" }
    try await expectNoToken { "\($0).\($1).\($2)==" }
    try await expectNoToken { "\($0)=.\($1).\($2)" }
    try await expectNoToken { "\($0).\($1).\($2), Bearer \($0).\($1).\($2)" }
    func encoded(_ text: String) -> String { Base64URL.encode(Data(text.utf8)) }
    for text in [
      "", "7", "null", "[]", "\"{}\"", "{", "{}}", "{\"a\":}", "\u{FEFF}{\"alg\":\"RS256\"}",
      "{\"a\":1e400}", "{\"a\":\"\\ud800\"}",
      String(repeating: "[", count: 5_000),
      "{\"a\":" + String(repeating: "[", count: 16) + String(repeating: "]", count: 16) + "}",
    ] {
      try await expectNoToken { "\(encoded(text)).\($1).\($2)" }
      try await expectNoToken { "\($0).\(encoded(text)).\($2)" }
    }
    try await expectNoToken { "\($0).\(Base64URL.encode(Data([0x7B, 0xFF, 0x7D]))).\($2)" }
  }

  /// For a duplicate name, some JSON parsers use the first value, and others the last.
  @Test(
    arguments: [
      (#"{"alg":"none","alg":"RS256","kid":"first","typ":"JWT"}"#, nil),
      (nil, #"{"sub":"sarah","sub":"marco"}"#), (nil, #"{"sub":"sarah","s\u0075b":"marco"}"#),
      (nil, #"{"firebase":{"tenant":"a","tenant":"b"}}"#),
    ] as [(String?, String?)]
  )
  func `a duplicate name is refused`(header: String?, payload: String?) async throws {
    try await expectNoToken { ownHeader, ownPayload, signature in
      let parts = [
        header.map { Base64URL.encode(Data($0.utf8)) } ?? ownHeader,
        payload.map { Base64URL.encode(Data($0.utf8)) } ?? ownPayload, signature,
      ]
      return parts.joined(separator: ".")
    }
  }

  @Test func `a token of 16 KiB is accepted, and a longer one is refused`() async throws {
    try await withVerifier { verifier, key, _ in
      func token(_ count: Int) throws -> String {
        try TokenDraft.idToken().with("more", .string(String(repeating: "x", count: count)))
          .signed(by: key.key)
      }
      let rest = 16 * 1024 - (try token(0).utf8.count)
      #expect(try await verifier.refusal(of: token(rest * 3 / 4 - 4)) == nil)
      let refusal = unauthenticated("the ID token is too long")
      #expect(try await verifier.refusal(of: token(rest * 3 / 4 + 4)) == refusal)
      let endless = String(repeating: "a", count: 1 << 20)
      #expect(await verifier.refusal(of: endless) == refusal)
    }
  }

  @Test func `a token with any character changed is refused`() async throws {
    try await withVerifier { verifier, key, _ in
      let token = Array(try TokenDraft.idToken().signed(by: key.key).utf8)
      #expect(await verifier.refusal(of: String(decoding: token, as: UTF8.self)) == nil)
      var dice = Dice(seed: 7)
      let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ".utf8
      )
      for index in token.indices {
        // The lowest bits of a base64 character may be padding. These characters differ from it
        // there.
        let others = [token[index] ^ 1, token[index] ^ 2, dice.pick(alphabet)]
        for other in others where other != token[index] {
          var changed = token
          changed[index] = other
          let refusal = await verifier.refusal(of: String(decoding: changed, as: UTF8.self))
          #expect(refusal?.code == .unauthenticated, "at \(index)")
        }
        var shorter = token
        shorter.remove(at: index)
        let refusal = await verifier.refusal(of: String(decoding: shorter, as: UTF8.self))
        #expect(refusal?.code == .unauthenticated, "without \(index)")
      }
    }
  }

  @Test func `no error repeats any part of a token`() async throws {
    try await withVerifier { verifier, key, _ in
      let secret = "SECRET"
      for draft in [
        TokenDraft.idToken(keyID: secret),
        TokenDraft.idToken().with(header: "alg", .string(secret)),
        TokenDraft.idToken().with(header: "typ", .string(secret)),
        TokenDraft.idToken().with("aud", .string(secret)),
        TokenDraft.idToken().with("iss", .string(secret)),
        TokenDraft.idToken().with("exp", .string(secret)),
        TokenDraft.idToken().with("sub", .array([.string(secret)])),
      ] {
        let error = await verifier.refusal(of: try draft.signed(by: key.key))
        #expect(error?.code == .unauthenticated)
        #expect(error?.message.contains(secret) == false)
      }
      for text in [secret, "\(secret).\(secret).\(secret)"] {
        #expect(await verifier.refusal(of: text)?.message.contains(secret) == false)
      }
    }
  }
}
