import Core
import Testing

@testable import CloudStorage

/// The query's field `fields`.
struct ResponseFieldsTests {
  private static let response = """
    {"kind":"k","items":[{"name":"a","size":"1","metadata":{"x":"1","y":"2"}},{"name":"b"}],"next":"t"}
    """

  @Test(arguments: [
    ("kind", #"{"kind":"k"}"#),
    ("items(name),next", #"{"items":[{"name":"a"},{"name":"b"}],"next":"t"}"#),
    ("items/name", #"{"items":[{"name":"a"},{"name":"b"}]}"#),
    ("items/metadata/x", #"{"items":[{"metadata":{"x":"1"}},{}]}"#),
    ("items(size,metadata(y))", #"{"items":[{"metadata":{"y":"2"},"size":"1"},{}]}"#),
    ("items/size,items/name", #"{"items":[{"name":"a","size":"1"},{"name":"b"}]}"#),
    (
      "items(*),none",
      #"{"items":[{"metadata":{"x":"1","y":"2"},"name":"a","size":"1"},{"name":"b"}]}"#
    ),
    ("none", "{}"),
  ])
  func `the named members are selected`(fields: String, expected: String) throws {
    let mask = try #require(try ResponseFields(fields))
    let selected = mask.select(from: try JSONValue(parsing: Data(Self.response.utf8)))
    #expect(try JSON.encode(selected) == Data(expected.utf8))
  }

  @Test(arguments: ["", "*", "kind,*"])
  func `everything is selected`(fields: String) throws {
    #expect(try ResponseFields(fields) == nil)
  }

  @Test(arguments: [
    "a(", "a)", "a(b", "a,,b", "a/", "/a", "a(b))", String(repeating: "a/", count: 50) + "a",
    String(repeating: "a(", count: 50), String(repeating: "a", count: 5_000),
  ])
  func `a text of another form is refused`(fields: String) {
    #expect(throws: StorageError.self) { try ResponseFields(fields) }
  }
}
