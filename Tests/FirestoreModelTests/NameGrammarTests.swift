import Core
import FirestoreModel
import Testing

struct NameGrammarTests {
  /// The expected messages are those of Google's emulator.
  @Test(
    arguments: [
      ("", #"lacks "projects" at index 0."#), ("projects", #"lacks "/" at index 8."#),
      ("projects/", #"has invalid trailing "/"."#), ("projects/p", #"lacks "/" at index 10."#),
      ("projectsx/p", #"lacks "/" at index 8."#),
      ("projects/p/x", #"lacks "databases" at index 11."#),
      ("projects//databases/d", "lacks a project id at index 9."),
      ("projects/./databases/d", #"contains a project id "." at index 9."#),
      ("projects/p/databases//documents", "lacks a database id at index 21."),
      ("projects/p/databases/d", #"lacks "/" at index 22."#),
      ("projects/p/databases/d/doc", #"lacks "documents" at index 23."#),
      ("projects/p/databases/d/documentsx/c/x", #"lacks "/" at index 32."#),
      (
        "projects/p/databases/d/documents",
        #"is invalid: Omit "/documents" when referencing a database "#
          + "(except as the parent of a document)."
      ),
      ("projects/p/databases/d/documents/", #"is invalid: Omit trailing "/"."#),
      ("projects/p/databases/d/documents/c", #"lacks "/" at index 34."#),
      ("projects/p/databases/d/documents/c/", #"has invalid trailing "/"."#),
      ("projects/p/databases/d/documents//x", "lacks a collection id at index 33."),
      ("projects/p/databases/d/documents/c//d/y", "lacks a resource id at index 35."),
      ("projects/p/databases/d/documents/c/..", #"contains a resource id ".." at index 35."#),
      ("projects/p/databases/d/documents/é/x/d", #"lacks "/" at index 38."#),
    ]
  )
  func `a document's name is refused with the place of the error`(_ name: String, _ problem: String)
  {
    let error = #expect(throws: (any Error).self) { try DocumentName(name) }
    #expect(
      "\(error.map { "\($0)" } ?? "")" == "INVALID_ARGUMENT: Document name \"\(name)\" \(problem)"
    )
  }

  @Test(
    arguments: [
      ("projects/p", #"lacks "/" at index 10."#),
      ("projects/p/databases/d/", #"has invalid trailing "/"."#),
      ("projects/p/databases/d/documents", "has extra characters at index 22."),
    ]
  )
  func `a database's name is refused with the place of the error`(_ name: String, _ problem: String)
  {
    let error = #expect(throws: (any Error).self) { try DatabaseName(name) }
    #expect(
      "\(error.map { "\($0)" } ?? "")" == "INVALID_ARGUMENT: Database name \"\(name)\" \(problem)"
    )
  }

  @Test func `a name of megabytes is not repeated in full`() {
    let fault = NameGrammar.fault(in: String(repeating: "x", count: 2_000_000), as: .document)
    #expect((fault?.message.utf8.count ?? .max) < 2_000)
  }
}
