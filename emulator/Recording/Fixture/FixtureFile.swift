package import Core
import ProviderFakes

/// The file of a fixture.
package struct FixtureFile: Sendable, Hashable {
  package var path: String

  package init(path: String) { self.path = path }

  /// Returns the files at the paths. For a folder, they are all files below it that end in `.json`.
  ///
  /// - Throws: `NOT_FOUND` for a path that doesn't exist, or a folder without fixtures.
  package static func all(at paths: [String]) throws(StatusError) -> [FixtureFile] {
    var files: [FixtureFile] = []
    for path in paths {
      guard access(path, F_OK) == 0 else {
        throw StatusError(.notFound, "\(path) doesn't exist")
      }
      guard (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil else {
        files.append(FixtureFile(path: path))
        continue
      }
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
      let found = names.filter { $0.hasSuffix(".json") }.sorted()
      guard !found.isEmpty else {
        throw StatusError(.notFound, "there is no fixture in \(path)")
      }
      files += found.map { FixtureFile(path: "\(path)/\($0)") }
    }
    return files
  }

  /// Reads the fixture.
  ///
  /// - Throws: the errors of `ReplayFixture`, without the path.
  package func read() throws(StatusError) -> ReplayFixture {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StatusError(.notFound, "the file can't be read")
    }
    return try ReplayFixture(file: data)
  }

  /// Writes a fixture.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` with the file's path if the disk is full.
  package func write(_ fixture: ReplayFixture) throws(StatusError) {
    try AtomicFile(path: path).write(fixture.file)
  }
}
