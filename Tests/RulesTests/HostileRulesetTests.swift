import Rules
import Testing

/// Texts that are made to crash or to slow down a compiler.
@Suite(.timeLimit(.minutes(5)))
struct HostileRulesetTests {
  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static let tooComplex = "Expression is too complex to evaluate safely."

  @Test(arguments: [
    (98, "(", "a", ")", true), (99, "(", "a", ")", false), (98, "a && ", "a", "", true),
    (99, "a && ", "a", "", false), (98, "!", "a", "", true), (99, "!", "a", "", false),
    (49, "!(", "a", ")", true), (50, "!(", "a", ")", false), (98, "[", "a", "]", true),
    (99, "[", "a", "]", false), (98, "f(", "a", ")", true), (99, "f(", "a", ")", false),
    (98, "a[", "0", "]", true), (99, "a[", "0", "]", false), (98, "a ? b : ", "c", "", true),
    (99, "a ? b : ", "c", "", false), (98, "/a/$(", "b", ")", true), (99, "/a/$(", "b", ")", false),
    (98, "{'a': ", "1", "}", true), (99, "{'a': ", "1", "}", false), (150, "", "a", ".b", true),
  ])
  func `an expression has at most 99 levels`(
    count: Int,
    prefix: String,
    core: String,
    suffix: String,
    isValid: Bool
  ) {
    let text = Self.repeated(prefix, count) + core + Self.repeated(suffix, count)
    let errors = RulesetText.errors(of: RulesetText.condition(text))
    #expect(errors.map(\.description) == (isValid ? [] : [Self.tooComplex]))
  }

  @Test(arguments: [
    "(", "[", "{", "{'a':", "!", "-(", "a[", "f(", "a.b(", "a?", "a?b:", "a&&", "a in ",
    "a is int ",
    ".b", "[0]", "/$(", "/a", "'", "\"", "b'", "/*", "\\", "$ ", "\0", "😀", "e\u{301}", ")", "}",
    "&", "|", "+", "a,", "1.",
    "é",
  ])
  func `a condition of repetitions is refused`(piece: String) {
    for count in [10_000, 100_000 / piece.utf8.count] {
      let text = Self.repeated(piece, count)
      #expect(!RulesetText.errors(of: RulesetText.condition("a" + text)).isEmpty)
      #expect(!RulesetText.errors(of: text).isEmpty)
    }
  }

  @Test(arguments: [
    "match /a {", "match /{a=**} {", "function f() {", "service a.b {", "allow read: if ",
    "let a = ",
    "import 'a';", "rules_version = '2';", "match ", "allow ", "/a", "{", "return ", "service",
  ])
  func `a service of repetitions is refused`(piece: String) {
    let count = 100_000 / piece.utf8.count
    #expect(!RulesetText.errors(of: RulesetText.service(Self.repeated(piece, count))).isEmpty)
    #expect(!RulesetText.errors(of: Self.repeated(piece, count)).isEmpty)
  }

  @Test func `a large valid ruleset compiles`() {
    let wide = RulesetText.condition("1 in [" + Self.repeated("1,", 120_000) + "1]")
    #expect(RulesetText.errors(of: wide) == [])
    let flat = RulesetText.service(Self.repeated("match /a/{b} { allow read; }\n", 8_000))
    #expect(RulesetText.errors(of: flat) == [])
    let functions = (0..<3_000).map { "function f\($0)() { return f\(max(0, $0 - 20)); }\n" }
    #expect(
      RulesetText.errors(of: RulesetText.service(functions.joined() + "match /a/b { allow read; }"))
        == []
    )
    let comments = RulesetText.service(
      Self.repeated("/* */", 50_000) + "match /a/b { allow read; }"
    )
    #expect(RulesetText.errors(of: comments) == [])
  }

  @Test func `a long chain of calls and many cycles have short errors`() {
    let chain = (0..<4_000).map { "function f\($0)() { return f\($0 + 1)() || f0(); }\n" }
    let issues = RulesetText.errors(
      of: RulesetText.service(chain.joined() + "match /a/b { allow read; }")
    )
    #expect(!issues.isEmpty)
    #expect(issues.reduce(0) { $0 + $1.description.utf8.count } < 100_000)
  }

  @Test func `a text of more than 256 KB is refused`() {
    let text = RulesetText.condition("true")
    let limit = 256 << 10
    let padding = Self.repeated(" ", limit - text.utf8.count)
    #expect(RulesetText.errors(of: text + padding) == [])
    #expect(
      RulesetText.errors(of: text + padding + " ").map(\.description)
        == ["The rules have 262145 bytes. The limit is 262144."]
    )
  }

  @Test func `random pieces of rulesets never crash the compiler`() {
    var random = SeededGenerator(seed: 1)
    let pieces = [
      "match", "/a", "/", "{", "}", "b", "=**", "allow", "read", ":", "if", "true", ";", "(", ")",
      "[", "]", "'", "\"", "\\", "function", "f", ",", "return", "let", "=", "service", "a.b", "is",
      "int", "in", "==", "!", "-", "--", "?", "$", "$(", "1", ".", "&&", "&", " ", "\n", "\r", "\0",
      "//", "/*", "*/", "😀", "rules_version", "'2'", "import", "math", "%", "*", "**",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      _ = RulesetText.issues(of: text.joined(separator: Bool.random(using: &random) ? " " : ""))
      _ = RulesetText.issues(of: RulesetText.condition(text.joined(separator: " ")))
    }
  }
}
