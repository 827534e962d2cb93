import Core
import Cryptography
import Testing

struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "Hey, let's meet for coffee tomorrow!|en|it",
      "d1dfada443646c5479fe9e2300b01153dfd4b18eaa16188018b45885d6c5daea"
    ),
    (
      String(repeating: "x", count: 1_000),
      "44f8354494a5ba03ba1792a8d3e9c534c47a9181980fde7a3f44b06ef2ae7c7f"
    ),
  ])
  func `a digest equals the standard's`(text: String, digest: String) {
    #expect(SHA256.hexadecimal(text.utf8) == digest)
    #expect(SHA256.hexadecimal(Data(text.utf8)) == digest)
    #expect(SHA256.digest(text.utf8).count == 32)
  }
}
