import Core
import Cryptography
import Testing

struct Base64URLTests {
  @Test(arguments: [
    ([], ""), ([0], "AA"), ([0, 0], "AAA"), ([0, 0, 0], "AAAA"), ([0xFB, 0xFF], "-_8"),
    ([0xFF, 0xFE, 0xFD], "__79"), (Array("any carnal pleas".utf8), "YW55IGNhcm5hbCBwbGVhcw"),
  ])
  func `bytes are written without padding and read again`(bytes: [UInt8], text: String) {
    #expect(Base64URL.encode(Data(bytes)) == text)
    #expect(Base64URL.decode(text) == Data(bytes))
  }

  @Test(arguments: [
    "A", "AAAAA", "+/8A", "__79=", "AA==", "A A", "A\nAA", "é", "AA.A", "AAA\u{0}", "ＡＡＡＡ",
    "AB", "AAB", "-_9",
  ])
  func `text that isn't base64url is refused`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
