package import Core
import ProviderFakes

/// Where fixtures are.
package struct FixtureFile: Sendable, Hashable {
  package var path: String

  package init(path: String) { self.path = path }

  /// The files that paths name; of a folder all that end in `.json`, in those below it, too.
  ///
  /// - Throws: `NOT_FOUND` for a path that isn't there, or a folder without any.
  package static func all(at paths: [String]) throws(StatusError) -> [FixtureFile] {
    var files: [FixtureFile] = []
    for path in paths {
      guard access(path, F_OK) == 0 else {
        throw StatusError(.notFound, "there is no \(path)")
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

  /// - Throws: what `ReplayFixture` refuses, in a sentence after the path.
  package func read() throws(StatusError) -> ReplayFixture {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StatusError(.notFound, "it can't be read")
    }
    return try ReplayFixture(file: data)
  }

  /// - Throws: `RESOURCE_EXHAUSTED` if the disk is full, naming the file.
  package func write(_ fixture: ReplayFixture) throws(StatusError) {
    try AtomicFile(path: path).write(fixture.file)
  }
}
