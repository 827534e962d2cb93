import Core
import Providers
import TestKit
import Testing

/// The size of a push, and texts that are cut to fit into it.
struct PushMessageTests {
  private static let family = "👩‍👩‍👧‍👦"

  private func message(title: String, body: String, ids: Int = 3) -> PushMessage {
    let id = String(repeating: "i", count: ids)
    return PushMessage(
      token: String(repeating: "t", count: 163),
      title: title,
      body: body,
      data: ["conversationId": id, "messageId": id, "type": "newMessage"],
      badge: 3,
      thread: "c",
      collapseID: "m"
    )
  }

  @Test func `a push within the limit stays unchanged`() throws {
    let small = message(title: "Sarah", body: "Ciao")
    #expect(try small.fitted() == small)
    #expect(small.payloadBytes < 500)
  }

  @Test func `the token doesn't count as payload`() throws {
    var other = message(title: "Sarah", body: "Ciao")
    let bytes = other.payloadBytes
    other.token = String(repeating: "t", count: 4_000)
    #expect(other.payloadBytes == bytes)
  }

  @Test func `a payload of FCM's limit isn't cut, and one byte more is`() throws {
    let empty = message(title: "Sarah", body: "")
    let room = PushMessage.maximumBytes - empty.payloadBytes
    let full = message(title: "Sarah", body: String(repeating: "x", count: room))
    #expect(try full.fitted() == full)
    let over = try message(title: "Sarah", body: String(repeating: "x", count: room + 1)).fitted()
    #expect(over.body == String(repeating: "x", count: room - 3) + "…")
    #expect(over.payloadBytes == PushMessage.maximumBytes)
  }

  /// Quotation marks and control characters take more bytes in JSON than in plain text.
  @Test(arguments: [family, "é", "\"", "\u{1}", "🇮🇹", "日", "e\u{301}\u{302}", "\\", "a\r\n"])
  func `a text of any characters is cut between characters and fits`(character: String) throws {
    let text = String(repeating: character, count: 3_000)
    let cut = try message(title: "Sarah", body: text).fitted()
    #expect(cut.payloadBytes <= PushMessage.maximumBytes)
    #expect(cut.title == "Sarah")
    #expect(cut.body.last == "…")
    #expect(cut.body.dropLast().allSatisfy { "\($0)" == character || character == "a\r\n" })
    #expect(text.hasPrefix(cut.body.dropLast()))
  }

  @Test func `a character larger than the limit leaves only an ellipsis`() throws {
    let zalgo = "e" + String(repeating: "\u{301}", count: 3_000)
    #expect(try message(title: "Sarah", body: zalgo).fitted().body == "…")
  }

  @Test func `ids of any length are kept whole, and texts get the remaining room`()
    throws
  {
    let long = message(
      title: String(repeating: "T", count: 200),
      body: String(repeating: Self.family, count: 40),
      ids: 1_500
    )
    let cut = try long.fitted()
    #expect(cut.payloadBytes <= PushMessage.maximumBytes)
    #expect(cut.data == long.data)
    #expect(cut.title == long.title)
    #expect(cut.body.hasSuffix(Self.family + "…"))
    let narrow = try message(title: String(repeating: "T", count: 200), body: "x", ids: 1_750)
      .fitted()
    #expect(narrow.payloadBytes <= PushMessage.maximumBytes)
    #expect(narrow.title.hasSuffix("T…"))
  }

  @Test func `an image and a web app's page go before the text is cut`() throws {
    var full = message(title: "Sarah", body: String(repeating: "x", count: 900), ids: 200)
    full.image = "https://x.example/\(String(repeating: "i", count: 1_000)).jpg"
    full.webAppURL = "https://chat.example"
    full.page = "/conversations/c"
    #expect(try full.fitted() == full)
    full.body = String(repeating: "x", count: 2_500)
    let cut = try full.fitted()
    #expect((cut.image, cut.webAppURL) == (nil, nil))
    #expect(cut.body == full.body)
    full.body = String(repeating: "x", count: 4_000)
    #expect(try full.fitted().payloadBytes <= PushMessage.maximumBytes)
  }

  @Test func `data that exceeds FCM's limit is the event's fault`() {
    let error = StatusError(.invalidArgument, "the push's data is too large for FCM")
    #expect(throws: error) { try message(title: "Sarah", body: "Ciao", ids: 2_000).fitted() }
  }

  @Test(arguments: [
    ("", 10, ""), ("1234567890", 10, "1234567890"), ("12345678901", 10, "1234567…"),
    ("ééééé", 10, "ééééé"), ("éééééé", 10, "ééé…"), ("éééééé", 8, "éé…"),
    ("你你你你", 11, "你你…"), (family, 25, family), (family + family, 49, family + "…"),
    (family + "a", 25, "…"), ("a" + family, 25, "a…"), ("🇮🇹🇮🇹🇮🇹", 20, "🇮🇹🇮🇹…"),
    ("ae\u{301}e\u{301}", 6, "a…"), ("a\r\nb\r\nc", 6, "a\r\n…"), ("abcd", 3, "…"), ("abcd", 2, ""),
  ])
  func `a text is cut between grapheme clusters`(
    text: String,
    bytes: Int,
    expected: String
  ) {
    let cut = text.cut(toBytes: bytes)
    #expect(cut == expected)
    #expect(cut.utf8.count <= bytes)
  }
}
