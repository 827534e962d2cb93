import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(10)))
struct PromptTextTests {
  static let texts: [(text: String, visible: String)] = [
    ("", ""), ("Ciao!", "Ciao!"), ("è ¿ß? 你好 नमस्ते שלום", "è ¿ß? 你好 नमस्ते שלום"),
    // Control characters, and escape sequences of terminals.
    ("a\u{0}b\u{7}c\u{1B}[31md\u{7F}e\u{9B}f", "abc[31mdef"),
    // Controls of the text's direction.
    ("a\u{202E}b\u{202C}c\u{2066}d\u{2069}e\u{200E}f\u{200F}g\u{61C}h", "abcdefgh"),
    // Tag characters, which can carry an instruction that only a model reads.
    ("Hi\u{E0001}\u{E0049}\u{E0067}\u{E006E}\u{E006F}\u{E007F}", "Hi"),
    ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}", "🏴"), ("🏴\u{E0075}\u{E007F}", "🏴"),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0067}\u{E007F}a", "🏴󠁧󠁢󠁥󠁮󠁧󠁿a"), ("a\u{E0067}\u{E0062}", "a"),
    // Characters that have no width or no shape.
    ("a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e\u{180E}f\u{2061}g\u{34F}h", "abcdefgh"),
    ("a\u{3164}b\u{115F}c\u{1160}d\u{FFA0}e\u{17B4}f", "abcdef"),
    ("a\u{E0100}b\u{E01EF}c\u{FE00}d\u{180B}e", "abcde"),
    // Noncharacters, and unassigned or private characters.
    ("a\u{E000}b\u{FFFE}c\u{F0000}d\u{10FFFF}e\u{378}f", "abcdef"),
    // Line breaks and tabs.
    ("a\nb\rc\r\nd\te\u{2028}f\u{2029}g\u{85}h", "a b c  d e f g h"),
    // Joiners in emoji, Persian and Hindi, and the selector that makes a heart red.
    ("👩‍👩‍👧", "👩‍👩‍👧"), ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क्\u{200D}ष", "क्\u{200D}ष"),
    ("❤\u{FE0F} ❤\u{FE0E} 1\u{FE0F}\u{20E3}", "❤\u{FE0F} ❤\u{FE0E} 1\u{FE0F}\u{20E3}"),
    ("e\u{301}\u{302}", "e\u{301}\u{302}"), ("🇮🇹👍🏽", "🇮🇹👍🏽"),
    // The flags of England, Scotland and Wales.
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿 a🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 a🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿"), ("🏴🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
  ]

  @Test(arguments: texts)
  func `the model sees only what a reader sees`(text: String, visible: String) {
    let result = PromptText.visible(text, maximum: 100)
    #expect(Array(result.unicodeScalars) == Array(visible.unicodeScalars))
    #expect(
      Array(PromptText.visible(result, maximum: 100).unicodeScalars)
        == Array(visible.unicodeScalars)
    )
  }

  static let cuts: [(text: String, maximum: Int, visible: String)] = [
    ("", 1, ""), ("a", 1, "a"), ("ab", 1, "…"), ("abc", 3, "abc"), ("abcd", 3, "ab…"),
    ("你好吗", 2, "你…"), ("👍🏽👍🏽", 3, "👍🏽…"), ("abc\u{200B}\u{202E}\n", 4, "abc "),
    ("abc\u{200B}\u{202E}", 3, "abc"), ("\u{200B}\u{200B}\u{200B}abc", 3, "abc"),
    ("e\u{301}e\u{301}", 3, "e\u{301}…"),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 7, "🏴󠁧󠁢󠁥󠁮󠁧󠁿"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 6, "🏴…"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿a", 7, "🏴…"), ("a🏴󠁧󠁢󠁥󠁮󠁧󠁿", 1, "…"),
  ]

  @Test(arguments: cuts)
  func `a text is cut to its length exactly`(text: String, maximum: Int, visible: String) {
    let result = PromptText.visible(text, maximum: maximum)
    #expect(Array(result.unicodeScalars) == Array(visible.unicodeScalars))
    #expect(result.unicodeScalars.count <= maximum)
  }

  @Test(arguments: [
    ("", false), ("<50 oder >50", false), ("a < b > c", false), ("<3 … ->", false), ("<>", false),
    ("[x] (y)", false), ("<-", false), ("< b>", false),
    ("<b>", true), ("</p>", true), ("<!--", true), ("<img src=x>", true), ("<script", true),
    ("](http", true), ("![x](y)", true), ("<|im_start|>", true), ("<<b", true), ("a<b", true),
  ])
  func `text that a page could parse as an element is markup`(text: String, isMarkup: Bool) {
    #expect(PlainText.findings(in: text).contains { $0.kind == .markup } == isMarkup)
  }

  @Test func `without a limit nothing is cut`() {
    let text = String(repeating: "ab ", count: 100_000)
    #expect(PromptText.visible(text, maximum: .max) == text)
  }

  @Test func `a long row of combining marks costs no more than other text`() {
    let marks = "e" + String(repeating: "\u{301}", count: 100_000)
    let hidden = String(repeating: "\u{200B}", count: 100_000)
    #expect(PromptText.visible(marks, maximum: 500).unicodeScalars.count == 500)
    #expect(PromptText.visible(marks, maximum: .max).unicodeScalars.count == 100_001)
    #expect(PromptText.visible(hidden, maximum: 5).isEmpty)
    #expect(PromptText.tokens(marks) > 50_000)
  }

  // MARK: Tokens

  /// Texts, and bounds for the number of tokens that a typical tokenizer counts.
  static let counts: [(text: String, low: Int, high: Int)] = [
    ("", 0, 0), ("a", 1, 1), ("Ciao!", 2, 3),
    ("Are you coming to dinner tonight? I can cook.", 11, 20),
    ("Vieni a cena stasera? Cucino io.", 9, 14),
    ("今晚你来吃晚饭吗？", 8, 10), ("こんばんは、元気ですか", 10, 13), ("오늘 저녁 같이 먹을래요", 10, 14),
    ("คืนนี้กินข้าวด้วยกันไหม", 22, 26), ("😀😀", 3, 4), ("مرحبا كيف حالك", 5, 10),
  ]

  @Test(arguments: counts)
  func `a text's tokens are counted on the high side`(text: String, low: Int, high: Int) {
    #expect((low...high).contains(PromptText.tokens(text)))
  }

  @Test(arguments: ["a", "é", "你", "の", "한", "ก", "😀", " ", "\u{0}"])
  func `an empty text has no tokens, and a longer text never has fewer`(piece: String) {
    var last = 0
    for count in 1...50 {
      let tokens = PromptText.tokens(String(repeating: piece, count: count))
      #expect(tokens >= max(last, 1))
      last = tokens
    }
  }

  @Test(arguments: ["你", "の", "ア", "한", "ก", "က", "ក"])
  func `a letter of a script without spaces is at least one token`(letter: String) {
    for count in [1, 10, 500] {
      #expect(PromptText.tokens(String(repeating: letter, count: count)) >= count)
    }
  }
}
