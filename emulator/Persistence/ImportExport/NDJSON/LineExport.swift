import Core
import FirestoreModel

/// A writer of the emulator's own format, which consists of a manifest and a file of lines for each
/// database.
struct LineExport: ExportWriter {
  private let folder: String
  private var entries: [ExportManifest.Entry] = []
  private var file: FileOutput?
  private var count = 0

  init(folder: String) { self.folder = folder }

  mutating func begin(_ database: DatabaseName) throws(StatusError) {
    let name = ExportManifest.file(of: database.database)
    file = try FileOutput(path: "\(folder)/\(name)")
    entries.append(.init(database: database.database, file: name, documents: 0, sha256: ""))
    count = 0
  }

  mutating func append(_ document: Document) throws(StatusError) {
    try file?.write(DocumentLine.write(document))
    try file?.write(CollectionOfOne(UInt8(ascii: "\n")))
    count += 1
  }

  mutating func end() throws(StatusError) {
    guard let file, let last = entries.indices.last else { return }
    entries[last].documents = count
    entries[last].sha256 = try file.finish()
    self.file = nil
  }

  func finish(
    project: String,
    at time: Timestamp,
    services: [String]
  ) throws(StatusError) {
    try ExportManifest(project: project, time: time, databases: entries, services: services)
      .write(to: "\(folder)/\(ExportManifest.fileName)")
  }
}
