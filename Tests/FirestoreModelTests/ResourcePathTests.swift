import Core
import FirestoreModel
import TestKit
import Testing

struct ResourcePathTests {
  @Test(
    arguments: [
      "", "c", "c/d", "c/d/e", "c/__id7__", "c/__id-7__", "c/__id9223372036854775807__", "c/ ",
      "c/...", "c/__a", "c/a__", "c/___", "é/😀", "c/" + String(repeating: "x", count: 1_500),
    ] as [String]
  )
  func `ids that Firestore accepts make a path`(text: String) throws {
    #expect(try ResourcePath(text).description == text)
  }

  @Test(
    arguments: [
      ("/", #"Collection id is empty: a path has no empty segments."#),
      ("c/", "Resource id is empty: a path has no empty segments."),
      ("c//d", "Resource id is empty: a path has no empty segments."),
      ("c/.", #"Resource id "." is invalid because it is "."."#),
      ("../d", #"Collection id ".." is invalid because it is ".."."#),
      ("__c__/d", #"Collection id "__c__" is invalid because it is reserved."#),
      ("__id7__/d", #"Collection id "__id7__" is invalid because it is reserved."#),
      ("c/__a__", #"Resource id "__a__" is invalid because it is reserved."#),
      ("c/__id__", #"Resource id "__id__" is invalid because it is reserved."#),
      ("c/__idx__", #"Resource id "__idx__" is invalid because it is reserved."#),
      ("c/__id07__", #"Resource id "__id07__" is invalid because it is reserved."#),
      ("c/__id+7__", #"Resource id "__id+7__" is invalid because it is reserved."#),
      ("c/__id-0__", #"Resource id "__id-0__" is invalid because it is reserved."#),
      (
        "c/" + String(repeating: "é", count: 751),
        "The key path element name is longer than 1500 bytes."
      ),
    ] as [(String, String)]
  )
  func `ids that Firestore refuses are refused with its message`(text: String, message: String) {
    #expect(statusError { try ResourcePath(text) } == StatusError(.invalidArgument, message))
  }

  @Test(arguments: ["a/b", "a/\u{301}b"] as [String])
  func `a slash inside an id is refused, whatever follows it`(id: String) {
    let error = statusError { try ResourcePath(segments: ["c", id]) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasSuffix(#"is invalid because it contains "/"."#) == true)
  }

  @Test func `a slash separates, whatever follows it`() throws {
    #expect(try ResourcePath("c/\u{301}d/e").segments == ["c", "\u{301}d", "e"])
  }

  @Test func `ids are compared by their bytes`() throws {
    let composed = try ResourcePath("c/\u{E9}")
    let decomposed = try ResourcePath("c/e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
  }

  @Test func `a path has at most a hundred collections`() throws {
    let segments = Array(repeating: "a", count: 200)
    #expect(try ResourcePath(segments: segments).isDocument)
    #expect(statusError { try ResourcePath(segments: segments + ["a"]) }?.code == .invalidArgument)
  }

  @Test func `a path knows its id and its parent`() throws {
    let path = try ResourcePath("c/d/e/f")
    #expect(path.isDocument && path.id == "f" && path.parent.description == "c/d/e")
    #expect(try path.parent.appending("g").description == "c/d/e/g")
    #expect(!ResourcePath.root.isDocument && ResourcePath.root.parent == .root)
  }

  @Test func `document ids are sorted numbers first, then by bytes`() throws {
    let sorted = ["__id-5__", "__id9__", "__id10__", "10", "9", "B", "_", "a", "é"]
    let paths = try sorted.reversed().map { try ResourcePath(segments: ["c", $0]) }
    #expect(paths.sorted().map(\.id) == sorted)
  }

  @Test(
    arguments: [
      "projects/p/databases/(default)/documents/c/x", "projects/p/databases/d/documents/c/x/e/y",
    ] as [String]
  )
  func `a document's name is read and written`(text: String) throws {
    #expect(try DocumentName(text).description == text)
    #expect(try ResourceName(text).description == text)
  }

  @Test(
    arguments: [
      "", "c/x", "projects/p/databases/d", "projects/p/databases/d/documents",
      "projects/p/databases/d/documents/c", "projects//databases/d/documents/c/x",
      "projects/p/databases//documents/c/x", "project/p/databases/d/documents/c/x",
      "projects/p/databases/d/document/c/x", "/projects/p/databases/d/documents/c/x",
      "projects/p/databases/d/documents/c/x/",
    ] as [String]
  )
  func `an invalid document name is refused`(text: String) {
    #expect(statusError { try DocumentName(text) }?.code == .invalidArgument)
  }
}
