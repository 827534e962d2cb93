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

  @Test(arguments: [
    "", ".", "a.b", "owner", "AAAA.AAAA", "AAAA.AAAA.AAAA.AAAA", "AAAA.A.AAAA", "AA==.AAAA.AAAA",
    "AA AA.AAAA.AAAA", "AAAA.AAAA.é", "AAAA.AAAA.AAAA\n",
  ])
  func `an invalid token is refused without being repeated`(text: String) {
    let refusal = StatusError(.unauthenticated, "the token is not a JSON Web Token")
    #expect(throws: refusal) { try JSONWebToken(text) }
  }
}
