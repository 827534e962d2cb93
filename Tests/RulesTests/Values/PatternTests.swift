import Core
import FirestoreModel
import Rules
import Testing

struct PatternTests {
  @Test(arguments: [
    ("abc", "a.c", true),
    ("abc", "b", false),
    ("abc\n", "abc", false),
    ("ABC", "(?i)abc", true),
    ("a\nb", "a.b", false),
    ("a\nb", "(?s)a.b", true),
    ("é", "\\w", false),
    ("é", "\\pL", true),
    ("😀", ".", true),
    ("", "", true),
    ("aa", "(?<name>a)(?P<other>a)", true),
    ("(?<", "[(?<]+", true),
    ("](?<", "[](?<]+", true),
    ("(?<a>", "\\Q(?<a>\\E", true),
    ("\\C", "\\Q\\C\\E", true),
    ("a\u{0}b", "a\\x00b", true),
    ("a\u{0}b", "a\u{0}b", true),
  ])
  func `matches() compares the whole text with a pattern of RE2`(
    text: String,
    pattern: String,
    isMatch: Bool
  ) throws {
    let fields: Fields = ["text": .string(text), "pattern": .string(pattern)]
    let outcome = try Outcome.of("resource.data.text.matches(resource.data.pattern)", fields)
    #expect(outcome == (isMatch ? .allowed : .denied))
  }

  @Test(arguments: [
    "(", "a)", "[a", "*", "a**", "\\", "(?=a)", "(a)\\1", "a{1001}", "((a{100}){100}){100}", "\\C",
    "[b-a]", "\\p{Foo}", "(?x)a", "\\Z", "(?<", "[^",
  ])
  func `a pattern that isn't valid is an error`(pattern: String) throws {
    let fields: Fields = ["pattern": .string(pattern)]
    for condition in [
      "'a'.matches(resource.data.pattern)", "'a'.split(resource.data.pattern) == []",
      "'a'.replace(resource.data.pattern, '') == ''",
    ] {
      #expect(
        try Outcome.of(condition, fields)
          == .failed("Invalid regular expression pattern. Pattern: \(pattern).")
      )
    }
  }

  @Test(arguments: [
    ("'a,b,,c,,'.split(',') == ['a', 'b', '', 'c']"),
    ("',,'.split(',') == ['']"),
    ("''.split(',') == ['']"),
    ("'XaX'.split('X') == ['', 'a']"),
    ("'a1b2c'.split('([0-9])') == ['a', 'b', 'c']"),
    ("'abc'.split('') == ['', 'a', 'b', 'c']"),
    ("'é😀'.split('') == ['', 'é', '😀']"),
    ("'baaac'.split('a*') == ['', 'b', '', 'c']"),
    ("'a b'.split('\\\\b') == ['', 'a', ' ', 'b']"),
    ("'abc'.split('^') == ['', 'abc']"),
    ("'abc'.split('$') == ['abc']"),
  ])
  func `split() cuts a text at matches`(condition: String) throws {
    #expect(try Outcome.of(condition) == .allowed)
  }

  @Test(arguments: [
    ("'abcabc'.replace('b', 'X') == 'aXcaXc'"),
    ("'abc'.replace('(b)(c)?', '[$1$2$0]') == 'a[bcbc]'"),
    ("'abc'.replace('(b)(x)?', '[$2]') == 'a[]c'"),
    ("'abc'.replace('(b)', '$10') == 'ab0c'"),
    ("'abc'.replace('(?P<n>b)', '${n}${n}') == 'abbc'"),
    ("'abc'.replace('b', '\\\\$1\\\\\\\\') == 'a$1\\\\c'"),
    ("'abc'.replace('b', '$x$') == 'a$x$c'"),
    ("'abc'.replace('', '-') == '-a-b-c-'"),
    ("'abbc'.replace('b*', '-') == '-a--c-'"),
    ("'aa'.replace('^a', '-') == '-a'"),
    ("'😀é'.replace('', '-') == '-😀-é-'"),
    // An unknown group matters only if there is something to replace.
    ("'abc'.replace('x', '$1') == 'abc'"),
  ])
  func `replace() puts groups into its replacement`(condition: String) throws {
    #expect(try Outcome.of(condition) == .allowed)
  }

  @Test(arguments: [("$1", "1"), ("${1}", "1"), ("${n}", "n")])
  func `an unknown group is an error`(replacement: String, group: String) throws {
    #expect(
      try Outcome.of("'abc'.replace('b', '\(replacement)') == ''")
        == .failed("The pattern has no group \(group).")
    )
  }

  @Test func `time is linear in the text, whatever the pattern`() throws {
    let fields: Fields = ["text": .string(String(repeating: "a", count: 1_000_000))]
    #expect(try Outcome.of("resource.data.text.matches('(a+)+b')", fields) == .denied)
    #expect(try Outcome.of("resource.data.text.matches('(a|aa)*')", fields) == .allowed)
  }

  @Test func `a search for many matches doesn't take minutes`() throws {
    let fields: Fields = ["text": .string(String(repeating: "a", count: 1_000_000))]
    #expect(
      try Outcome.of("resource.data.text.replace('a*b|a', '') == ''", fields)
        == .failed("The regular expression takes too long.")
    )
  }

  @Test func `many patterns in turn are compiled anew`() throws {
    for round in 0..<2 {
      for number in 0..<300 {
        let condition = "'\(number)'.matches('\(number)') && !'\(round)'.matches('x\(number)')"
        #expect(try Outcome.of(condition) == .allowed)
      }
    }
  }
}
