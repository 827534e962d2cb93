import Testing

@testable import Chat

struct ContentHashTests {
  @Test func `a translation's key is the SHA-256 of text and languages`() throws {
    #expect(
      ContentHash.translation(
        of: "Hey, let's meet for coffee tomorrow!",
        from: try Language("EN"),
        to: try Language("it")
      ) == "d1dfada443646c5479fe9e2300b01153dfd4b18eaa16188018b45885d6c5daea"
    )
  }

  @Test func `a text is hashed as it is, byte by byte`() {
    #expect(
      ContentHash.text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    #expect(ContentHash.text("é") != ContentHash.text("e\u{301}"))
    #expect(ContentHash.text(" a") != ContentHash.text("a"))
  }

  @Test
  func `a token's field name is valid, begins with a letter and hides the token`() {
    let name = ContentHash.token("fcm:token/1")
    #expect(name.utf8.count == 33)
    #expect(name.first == "t")
    #expect(name.allSatisfy { $0.isHexDigit || $0 == "t" })
    #expect(name != ContentHash.token("fcm:token/2"))
  }
}
