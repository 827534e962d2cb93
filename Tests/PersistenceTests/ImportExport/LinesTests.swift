import Core
import FirestoreModel
import Store
import TestKit
import Testing

@testable import Persistence

/// Documents as lines of JSON, which a page downloads and uploads.
struct LinesTests {
  private func lines(_ side: Side) throws -> Data {
    let lines = try DocumentLines(of: defaultDatabase, in: side.store)
    var all = Data()
    while let portion = try lines.next() { all += portion }
    return all
  }

  @Test func `lines equal those of an export's file, and restore the documents`() async throws {
    let side = Side()
    // The documents are too many for one portion.
    for number in 0..<300 { try await side.set("c/\(number)", ["n": .integer(Int64(number))]) }
    try await side.set("odd/ü %", ["d": .double(-0.0), "b": .bytes(Data([0, 255]))])
    let lines = try lines(side)
    try await withTemporaryFolder(inMemory: true) { folder in
      try await side.export(to: "\(folder)/export")
      let file = DocumentLines.fileName(of: defaultDatabase)
      #expect(try lines == read("\(folder)/export/\(file)"))
    }
    let other = Side()
    let count = try await other.transfer.importLines(
      lines,
      into: defaultDatabase,
      firesTriggers: false
    )
    #expect(count == 301)
    #expect(try other.documents() == side.documents())
  }

  @Test func `all lines are of one snapshot`() async throws {
    let side = Side()
    for number in 0..<300 { try await side.set("c/\(number)", [:]) }
    let lines = try DocumentLines(of: defaultDatabase, in: side.store)
    let first = try #require(try lines.next())
    try await side.set("c/new", [:])
    try await side.set("c/99", ["v": "new"])
    let rest = try #require(try lines.next())
    let text = String(decoding: first + rest, as: UTF8.self)
    #expect(text.split(separator: "\n").count == 300)
    #expect(!text.contains("new"))
    #expect(try lines.next() == nil)
  }

  @Test func `the order of lines, blank lines and a missing last line feed don't matter`()
    async throws
  {
    let side = Side()
    let text = "\n{\"name\":\"c/b\"}\r\n\n{\"name\":\"c/a\"}\n{\"name\":\"c/b\",\"fields\":{}}"
    let count = try await side.transfer.importLines(
      Data(text.utf8),
      into: defaultDatabase,
      firesTriggers: false
    )
    #expect(count == 3)
    #expect(try side.documents().map(\.name.id) == ["a", "b"])
  }

  @Test(arguments: [
    ("{\"name\":\"c\"}", "line 8 is refused: "), ("{", "line 8 "), ("[]", "line 8 "),
    ("{\"name\":\"c/__reserved__\"}", "line 8 is refused: "), ("\u{0}", "line 8 "),
  ])
  func `an error names a bad line, and no document of its piece is written`(
    line: String,
    message: String
  ) async throws {
    let side = Side()
    do throws(StatusError) {
      _ = try await side.transfer.importLines(
        Data("{\"name\":\"c/good\"}\n\(line)\n".utf8),
        firstLine: 7,
        into: defaultDatabase,
        firesTriggers: false
      )
      Issue.record("the invalid line was imported")
    } catch {
      #expect(error.code == .invalidArgument)
      #expect(error.message.hasPrefix(message))
    }
    #expect(side.store.databases.isEmpty)
  }
}
