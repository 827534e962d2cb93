import Core
import Cryptography
import Testing

struct JSONWebTokenTests {
  private let header = Data(#"{"alg":"RS256"}"#.utf8)
  private let payload = Data(#"{"sub":"ü"}"#.utf8)

  @Test func `a signed token is read and its signature is valid`() throws {
    let key = try RSAKey.generate()
    let text = try JSONWebToken.encode(header: header, payload: payload, key: key)
    let token = try JSONWebToken(text)
    #expect(token.header == ["alg": .string("RS256")])
    #expect(token.claims == ["sub": .string("ü")])
    #expect(token.payload == payload)
    #expect(text.hasPrefix(token.signedPart + "."))
    #expect(key.verifies(token.signature, of: Data(token.signedPart.utf8)))
  }

  @Test func `an unsigned token ends with its last dot`() throws {
    let text = try JSONWebToken.encode(header: header, payload: payload, key: nil)
    #expect(text == "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiLDvCJ9.")
    #expect(try JSONWebToken(text).signature.isEmpty)
  }

  @Test(
    arguments: [
      (["", ".", "a.b", "owner", "e30.e30", "e30.e30.e30.e30"], "it doesn't have three parts"),
      (
        ["AAAA.e30.", "e30=.e30.", "e 30.e30.", ".e30.", "W10.e30."],
        "its header isn't a JSON object in base64url"
      ),
      (
        ["e30.AAAA.", "e30.e30=.", "e30..", "e30.A."],
        "its claims aren't a JSON object in base64url"
      ),
      (["e30.e30.é", "e30.e30.AAAA\n", "e30.e30.AA=="], "its signature isn't in base64url"),
    ]
  )
  func `an invalid token is refused without being repeated`(texts: [String], reason: String) {
    let refusal = StatusError(.unauthenticated, "the token is not a JSON Web Token: \(reason)")
    for text in texts { #expect(throws: refusal) { try JSONWebToken(text) } }
  }
}
