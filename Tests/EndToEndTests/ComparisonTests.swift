import Foundation
import Testing

/// The page that sets the functions beside Firebase's own: what it says a test holds, one does.
struct ComparisonTests {
  /// The tests of one row, `Suite: name`, where a suite is the name of a file.
  private static func tests(in row: Substring) -> [(suite: String, name: String)] {
    guard let column = row.split(separator: "|").last else { return [] }
    return column.split(separator: " · ").map { test in
      let parts = test.split(separator: ": `", maxSplits: 1)
      return (
        String(parts.first ?? "").trimmingCharacters(in: .whitespaces),
        String(parts.last ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "` "))
      )
    }
  }

  private static func text(_ file: URL) throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test func `every row names tests, and each of them is there`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let page = try Self.text(tests.appending(path: "../Functions/COMPARISON.md"))
    var rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.removeFirst().contains("tests"))
    #expect(rows.count >= 25)

    var sources: [String: String] = [:]
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() {
      guard ["swift", "py"].contains(file.pathExtension) else { continue }
      sources[file.deletingPathExtension().lastPathComponent, default: ""] += try Self.text(file)
    }
    for row in rows {
      let tests = Self.tests(in: row)
      #expect(!tests.isEmpty, Comment(rawValue: String(row)))
      for test in tests {
        let source = try #require(sources[test.suite], "there is no \(test.suite)")
        let isThere = ["`\(test.name)`(", "def \(test.name)("].contains { source.contains($0) }
        #expect(isThere, "\(test.suite) has no \(test.name)")
      }
    }
  }
}
