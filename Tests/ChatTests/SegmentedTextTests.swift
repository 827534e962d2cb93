import Core
import TestKit
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct SegmentedTextTests {
  private func templates(_ text: String, maximumCharacters: Int = 5_000) -> [String] {
    SegmentedText(text, maximumCharacters: maximumCharacters).segments.map(\.template)
  }

  @Test(arguments: [
    ("See you at 10:30!", ["See you at [X0X]!"]),
    ("  Hello 👋 @bob 🎉 \n", ["Hello [X0X]"]),
    ("a\r\nb\u{2028}c", ["a", "b", "c"]),
    ("See\n```\ncode\n\nmore\n```\nthere", ["See", "there"]),
    ("2 cats, 5 dogs, 5 birds", ["2 cats, [X1X] dogs, [X2X] birds"]),
    ("12345 people", ["[X0X] people"]), ("from 1, 2 & 3 on", ["from [X0X] on"]),
    ("I am 30. 20 came", ["I am 30. 20 came"]), ("[X0X] is mine", ["[X0X] is mine"]),
    ("𝕏 marks the spot", ["𝕏 marks the spot"]),
  ])
  func `words are sent with placeholders`(text: String, sent: [String]) {
    #expect(templates(text) == sent)
  }

  @Test(arguments: [
    "", " ", "👍", "👩‍👩‍👧‍👦 🇮🇹\n❤️", "https://example.com", "10:30", "@bob @ann", "#tag 5 km", "?!",
    "`code`", "```\nlet words = 1\n```", "…", "\u{200D}\u{FE0F}", "1️⃣ + 2️⃣ = 3️⃣",
    "me@example.com, +39 06 123456",
  ])
  func `a text without words isn't sent`(text: String) {
    #expect(templates(text).isEmpty)
    #expect(!Translator.hasWords(text))
    #expect(SegmentedText(text, maximumCharacters: 10).joined { $0.template } == text)
  }

  // MARK: Long texts

  @Test func `a long text is cut after sentences`() {
    let text = String(repeating: "One two three. Four five?  Six \"seven!\" ", count: 3)
    let piece = "One two three. Four five?  Six \"seven!\""
    #expect(templates(text, maximumCharacters: 45) == [piece, piece, piece])
    #expect(templates("第一句。第二句。第三句", maximumCharacters: 9) == ["第一句。第二句。", "第三句"])
  }

  @Test func `a long text without sentences is cut after words, or else inside one`() {
    #expect(templates("aaa bbb ccc ddd", maximumCharacters: 8) == ["aaa bbb", "ccc ddd"])
    #expect(templates("aaaaaaaaaa", maximumCharacters: 4) == ["aaaa", "aaaa", "aa"])
    // The text is one character of five code points.
    let family = "e\u{301}\u{302}\u{303}\u{304}"
    #expect(
      templates(family + family + family, maximumCharacters: 12) == [family + family, family]
    )
  }

  @Test func `a character that is longer than a request is sent alone`() {
    let endless = "e" + String(repeating: "\u{301}", count: 50)
    #expect(templates("ab" + endless + "cd", maximumCharacters: 20) == ["ab", endless, "cd"])
  }

  @Test func `a span is never cut`() {
    let link = "https://example.com/" + String(repeating: "a", count: 100)
    let text = "see \(link) and \(link) and so on"
    let segmented = SegmentedText(text, maximumCharacters: 20)
    #expect(segmented.segments.map(\.template).joined(separator: "|").contains("aaa") == false)
    #expect(segmented.joined { $0.pieces.map(\.text).joined() } == text)
  }

  // MARK: Properties

  private static let alphabet = [
    "a", "Bc", "è", "ß", " ", "  ", "\t", "\n", "\r\n", "\u{2028}", ".", "! ", "? ", "…", "。", "、",
    "5", "42", "1,000", "10:30", "€", "%", "km", "+39 ", "(", ")", "[", "]", "X", "[X0X]", "[X",
    "X]",
    "`", "```", "@", "@bob", "#", "#tag", "https://", "www.", "example.com", "/", "me@example.com",
    "👍", "👩‍👩‍👧‍👦", "🇮🇹", "🇮", "❤️", "1️⃣", "\u{200D}", "\u{FE0F}", "\u{301}", "\u{202E}", "\u{600}",
    "שלום", "مرحبا", "こんにちは", "世界", "한국어", "नमस्ते", "\u{0}", "&#39;", "<b>", "](", "{0}",
  ]

  @Test(arguments: [5, 12, 40, 5_000])
  func `the parts of any text together are the text`(maximumCharacters: Int) throws {
    var dice = Dice(seed: UInt64(maximumCharacters))
    for _ in 0..<1_500 {
      let text = (0...dice.number(below: 30)).map { _ in dice.pick(Self.alphabet) }.joined()
      let segmented = SegmentedText(text, maximumCharacters: maximumCharacters)
      let whole = try segmented.joined { segment throws(StatusError) in
        if let whole = try segment.restored(from: segment.template) { return whole }
        return try segment.joined { $0 }
      }
      #expect(Array(whole.unicodeScalars) == Array(text.unicodeScalars))
      let fragments = try segmented.joined { segment throws(StatusError) in
        try segment.joined { $0 }
      }
      #expect(Array(fragments.unicodeScalars) == Array(text.unicodeScalars))
      for segment in segmented.segments {
        #expect(segment.template.filter(\.isNewline) == "")
        #expect(segment.template.filter(\.isLetter) != "")
        #expect(
          segment.template.unicodeScalars.count <= max(maximumCharacters, Segment.placeholderWeight)
            || segment.template.count <= 2,
          "\(segment.template)"
        )
      }
    }
  }

  @Test func `very long texts are split in linear time`() {
    for pattern in [
      "(", ")", "[X", "a.", "@", "`a", "``b```", "1", "(1", "https://(", "👍", "é\u{301}",
    ] {
      let text = String(repeating: pattern, count: 30_000 / pattern.unicodeScalars.count)
      let segmented = SegmentedText(text, maximumCharacters: 5_000)
      #expect(segmented.joined { $0.pieces.map(\.text).joined() } == text)
    }
  }
}
