import Core
import FirestoreModel

/// A reader of exports in the emulator's own format.
struct LineImport: ExportReader {
  private let folder: String
  private let entries: [ExportManifest.Entry]

  /// Opens an export from its manifest.
  ///
  /// - Parameter path: The path of the manifest.
  init(manifest path: String, folder: String) throws(StatusError) {
    self.folder = folder
    let manifest = try ExportManifest(reading: path)
    entries = manifest.databases
    services = (manifest.services ?? [:]).mapValues { "\(folder)/\($0.path)" }
  }

  var databases: [String] { entries.map(\.database) }
  let services: [String: String]

  func documents(of index: Int, as name: DatabaseName) throws(StatusError) -> any DocumentReader {
    try LineDocuments(entries[index], in: folder, as: name)
  }
}

/// A reader of the documents in one file. The documents must be sorted by name.
private final class LineDocuments: DocumentReader {
  private let entry: ExportManifest.Entry
  private let path: String
  private let database: DatabaseName
  private var lines: LineReader
  private var last: ResourcePath?

  init(
    _ entry: ExportManifest.Entry,
    in folder: String,
    as database: DatabaseName
  ) throws(StatusError) {
    self.entry = entry
    self.database = database
    path = "\(folder)/\(entry.file)"
    lines = try LineReader(path: path)
  }

  func next() throws(StatusError) -> ReadDocument? {
    guard let line = try lines.next() else {
      guard lines.number == entry.documents else {
        throw StatusError(
          .invalidArgument,
          "\(path) has \(lines.number) documents, but the manifest says \(entry.documents)"
        )
      }
      guard lines.sha256 == entry.sha256 else {
        throw StatusError(
          .invalidArgument,
          "\(path) is damaged: its SHA-256 is not the one in the manifest"
        )
      }
      return nil
    }
    let place = "\(path), line \(lines.number),"
    let document = try DocumentLine.read(Data(line), of: database, at: place)
    if let last, !(last < document.name.path) {
      throw StatusError(
        .invalidArgument,
        "\(place) is refused: its name does not come after the name in the line before"
      )
    }
    last = document.name.path
    return ReadDocument(document: document, bytes: line.count, place: place)
  }
}
