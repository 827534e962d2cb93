import Foundation
import TestKit
import Testing

@testable import UI

/// The files of the pages, which the binary contains.
@Suite(.timeLimit(.minutes(10)))
struct PageFilesTests {
  /// The folder with the source files of the pages.
  private static let folder = "\(Repository.folder)/emulator/Pages/www"

  @Test func `every file of the folder is embedded in the binary unchanged`() throws {
    let names = try #require(FileManager.default.subpaths(atPath: Self.folder)).filter {
      $0.split(separator: "/").last?.contains(".") == true
    }
    #expect(PageFiles.embeddedPaths == names.sorted())
    let files = PageFiles.folder(Self.folder)
    for name in names {
      let path = name.split(separator: "/").map(String.init)
      let (embedded, file) = (PageFiles.embedded[path], files[path])
      #expect(file != nil && file?.bytes == embedded?.bytes, Comment(rawValue: name))
      #expect(file?.tag == embedded?.tag)
    }
  }

  @Test(arguments: [["..", "page_files.c"], ["lib/dom.js"], [".hidden"], ["nothing.js"], []])
  func `no path leads out of the folder`(path: [String]) {
    #expect(PageFiles.folder(Self.folder)[path] == nil)
    #expect(PageFiles.embedded[path] == nil || path == ["lib/dom.js"])
  }
}
