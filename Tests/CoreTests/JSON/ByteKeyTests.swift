import Core
import Testing

struct ByteKeyTests {
  /// Combining marks that aren't in canonical order.
  ///
  /// A `String` with so many takes minutes to hash or to compare.
  private static let marks = String(repeating: "\u{301}\u{316}", count: 250_000)

  @Test(
    arguments: [
      ("a", "a", true), ("a", "b", false), ("", "", true), ("", "a", false),
      ("\u{E9}", "e\u{301}", false), ("e\u{301}\u{316}", "e\u{316}\u{301}", false),
      ("e\u{301}", "e\u{301}", true), ("ab", "abc", false),
    ]
  )
  func `keys are equal if their bytes are`(left: String, right: String, areEqual: Bool) {
    #expect((ByteKey(left) == ByteKey(right)) == areEqual)
    #expect(left.hasSameBytes(as: right) == areEqual)
    #expect(Set([ByteKey(left), ByteKey(right)]).count == (areEqual ? 1 : 2))
  }

  @Test func `keys are sorted by their bytes`() {
    let names = ["", "a", "aB", "ab", "e\u{301}", "f", "\u{E9}", "\u{FFFD}", "\u{10000}"]
    #expect(names.reversed().map { ByteKey($0) }.sorted().map(\.string) == names)
  }

  @Test func `a key of marks out of order is hashed, compared and found`() throws {
    var members: [ByteKey: Int] = [:]
    for index in 0..<8 { members[Self.marks + "\(index)"] = index }
    #expect(members[Self.marks + "3"] == 3)
    #expect(members.keys.max()?.utf8.last == UInt8(ascii: "7"))
    let json = try JSONValue(parsing: Data(#"{"\#(Self.marks)":{"\#(Self.marks)":"x"}}"#.utf8))
    #expect(json[Self.marks]?[Self.marks] == .string("x"))
    #expect(json != .object([ByteKey(Self.marks): .string(Self.marks)]))
    #expect(Set([json, json, .string(Self.marks)]).count == 2)
  }

  private enum Kind: String { case first, second }

  @Test func `an enum's case is found by the bytes of its name`() {
    #expect(Kind("first" as ByteKey) == .first)
    #expect(Kind(ByteKey(Self.marks)) == nil)
    #expect(Kind("" as ByteKey) == nil)
  }

  @Test(
    arguments: [
      ("", ""), ("Hello", "Hello"), ("e\u{301}", "e\u{301}"), ("नमस्ते", "नमस्ते"), ("สวัสดี", "สวัสดี"),
      (
        "a" + String(repeating: "\u{301}", count: 30) + "b",
        "a" + String(repeating: "\u{301}", count: 30) + "b"
      ),
      (
        "a" + String(repeating: "\u{301}", count: 31) + "b\u{316}",
        "a" + String(repeating: "\u{301}", count: 30) + "b\u{316}"
      ),
      (String(repeating: "\u{F73}", count: 40), String(repeating: "\u{F73}", count: 30)),
    ]
  )
  func `a text keeps thirty marks in a row`(text: String, limited: String) {
    #expect(text.limitingCombiningMarks.hasSameBytes(as: limited))
    #expect(text.hasLongRunOfCombiningMarks == !text.hasSameBytes(as: limited))
    #expect(!limited.hasLongRunOfCombiningMarks)
  }

  @Test func `the marks in a text are limited before it is compared`() {
    let limited = (Self.marks + " " + Self.marks).limitingCombiningMarks
    #expect(limited.unicodeScalars.count == 61)
    #expect(limited != Self.marks.limitingCombiningMarks)
  }
}
