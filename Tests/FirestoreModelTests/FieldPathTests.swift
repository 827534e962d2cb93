import Core
import FirestoreModel
import TestKit
import Testing

struct FieldPathTests {
  @Test(
    arguments: [
      ("a", ["a"]), ("a.b.c", ["a", "b", "c"]), ("_x9", ["_x9"]), ("__name__", ["__name__"]),
      ("`a`", ["a"]), ("`a-b`", ["a-b"]), ("`a.b`.c", ["a.b", "c"]), ("a.`0`", ["a", "0"]),
      (#"`\``"#, ["`"]), (#"`\\`"#, [#"\"#]), (#"`a\`.\\b`.c"#, [#"a`.\b"#, "c"]),
      ("`é😀`", ["é😀"]), ("` `", [" "]), ("`\u{301}`", ["\u{301}"]), (#"`\a`"#, ["a"]),
    ] as [(String, [ByteKey])]
  )
  func `paths are parsed by Firestore's grammar`(text: String, segments: [ByteKey]) throws {
    #expect(try FieldPath(parsing: text).segments == segments)
  }

  @Test(
    arguments: [
      ".", "a.", ".a", "a..b", "a-b", "0", "9a", "a b", "é", "a[0]", "`", "``", "`a", "a`", "`a`b",
      "`a``b`", #"`a\`"#, #"`\"#, "a.`b", "`a`.", "*",
    ] as [String]
  )
  func `an invalid path is refused with Firestore's message`(text: String) {
    let error = statusError { try FieldPath(parsing: text) }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message == #"Invalid property path "\#(text)". Unquoted property paths must match "#
        + "regex ([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
        + #"(`(?:[^`\\]|(?:\\.))+`)"#
    )
  }

  @Test func `an empty path has a message of its own`() {
    let expected = StatusError(.invalidArgument, "Invalid empty property path string.")
    #expect(statusError { try FieldPath(parsing: "") } == expected)
    #expect(statusError { try FieldPath(segments: []) } == expected)
    #expect(statusError { try FieldPath(segments: ["a", ""]) } == expected)
  }

  @Test(
    arguments: [
      (["a", "b"], "a.b"), (["pt-BR"], "`pt-BR`"), (["translations", "0"], "translations.`0`"),
      (["a.b"], "`a.b`"), ([#"a`\b"#], #"`a\`\\b`"#), (["\u{301}"], "`\u{301}`"),
      (["`\u{301}"], "`\\`\u{301}`"), (["\\\u{301}"], "`\\\\\u{301}`"),
    ] as [([ByteKey], String)]
  )
  func `a path is written so that it can be read back`(segments: [ByteKey], text: String) throws {
    let path = try FieldPath(segments: segments)
    #expect(path.description.unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(try FieldPath(parsing: path.description) == path)
  }

  @Test func `paths are sorted by the bytes of their names, the shorter first`() throws {
    let sorted = ["B", "a", "a.B", "a.b", "a.b.c", "`a-b`", "b", "`é`"]
    #expect(
      try sorted.reversed().map(FieldPath.init(parsing:)).sorted().map(\.description) == sorted
    )
  }

  @Test func `fields are read, set and removed by path`() throws {
    var fields: Fields = ["a": ["b": 1], "s": "text"]
    #expect(fields[FieldPath("a", "b")] == 1)
    #expect(fields[FieldPath("a", "c")] == nil)
    #expect(fields[FieldPath("s", "c")] == nil)
    fields.set(2, at: FieldPath("a", "c", "d"))
    fields.set(3, at: FieldPath("s", "x"))
    #expect(fields == ["a": ["b": 1, "c": ["d": 2]], "s": ["x": 3]])
    fields.remove(at: FieldPath("a", "c", "d"))
    fields.remove(at: FieldPath("a", "b", "nowhere"))
    fields.remove(at: FieldPath("s"))
    #expect(fields == ["a": ["b": 1, "c": [:]]])
  }
}
