import Core
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf

/// A reader of exports from Google's emulator or from the cloud.
///
/// An export from the cloud has a folder for each exported collection, with many files in each.
struct GoogleImport: ExportReader {
  /// A part of the export: the files with the documents of some collections.
  fileprivate struct Part {
    var files: [String]
    /// The number of documents, or `nil` if the overall file doesn't have it.
    var documents: Int?
    /// The path of the file that contains the number of documents, for error messages.
    var metadata: String
  }

  private let parts: [Part]
  /// The ID of the database, or `nil` if the export has only data of other services.
  private let database: String?

  /// Opens the export that a metadata file of Firebase's tools refers to.
  ///
  /// - Parameter path: The path of Firebase's metadata file.
  init(firebase path: String) throws(StatusError) {
    let metadata = try FirebaseMetadata(reading: path)
    let services = metadata.serviceFolders(in: path.directory)
    if let file = metadata.overallFile(in: path.directory) {
      try self.init(overall: file, services: services)
    } else {
      self.init(parts: [], database: nil, services: services)
    }
  }

  /// Opens an export from its overall file.
  ///
  /// - Parameter path: The path of the overall file.
  init(overall path: String, services: [String: String] = [:]) throws(StatusError) {
    let folder = path.directory
    let log = try LogReader(path: path)
    guard try log.next() == GoogleExport.version, let record = try log.next(),
      try log.next() == nil, let overall = try? EntityOverallExport(serializedBytes: record)
    else {
      throw StatusError(
        .invalidArgument,
        "\(path) is cut off or isn't in version 3 of Google's format"
      )
    }
    var parts: [Part] = []
    for kinds in overall.kinds {
      guard kinds.metadataFile.isRelativePath else {
        throw StatusError(
          .invalidArgument,
          "\(path): \(quoted(kinds.metadataFile)) is not in the export's folder"
        )
      }
      let metadata = "\(folder)/\(kinds.metadataFile)"
      guard let exported = try? EntityExportedFiles(serializedBytes: FileInput.all(of: metadata))
      else {
        throw StatusError(.invalidArgument, "\(metadata) is missing, cut off or in another format")
      }
      let files = exported.groups.flatMap(\.files)
      for file in files where !file.isRelativePath {
        throw StatusError(
          .invalidArgument,
          "\(metadata): \(quoted(file)) is not in the export's folder"
        )
      }
      parts.append(
        Part(
          files: files.map { "\(metadata.directory)/\($0)" },
          documents: kinds.hasDocumentCount ? Int(kinds.documentCount) : nil,
          metadata: path
        )
      )
    }
    self.init(parts: parts, database: try Self.database(of: parts), services: services)
  }

  private init(parts: [Part], database: String?, services: [String: String]) {
    self.parts = parts
    self.database = database
    self.services = services
  }

  /// Returns the database of the first document. All documents of an export are from the same
  /// database.
  private static func database(of parts: [Part]) throws(StatusError) -> String {
    for file in parts.flatMap(\.files) {
      if let record = try LogReader(path: file).next(),
        let entity = try? EntityDocument(serializedBytes: record)
      {
        return entity.database
      }
    }
    return "(default)"
  }

  var databases: [String] { database.map { [$0] } ?? [] }
  let services: [String: String]

  func documents(of index: Int, as name: DatabaseName) throws(StatusError) -> any DocumentReader {
    EntityDocuments(parts, of: databases[index], as: name)
  }
}

/// A reader of the documents in all files of an export.
private final class EntityDocuments: DocumentReader {
  private var parts: ArraySlice<GoogleImport.Part>
  private let original: String
  private let database: DatabaseName
  private var files: ArraySlice<String> = []
  private var log: LogReader?
  private var file = ""
  private var recordNumber = 0
  /// The number of documents read from the current part, and the number that the part should have,
  /// or `nil` if that is unknown.
  private var (count, expected): (Int, Int?) = (0, nil)
  private var metadata = ""

  init(_ parts: [GoogleImport.Part], of original: String, as database: DatabaseName) {
    self.parts = parts[...]
    self.original = original
    self.database = database
  }

  func next() throws(StatusError) -> ReadDocument? {
    while true {
      if let record = try log?.next() {
        recordNumber += 1
        count += 1
        return try document(record)
      }
      if let file = files.popFirst() {
        self.file = file
        log = try LogReader(path: file)
        recordNumber = 0
        continue
      }
      if let expected, expected != count {
        throw StatusError(
          .invalidArgument,
          "\(metadata) says that there are \(expected) documents, but there are \(count)"
        )
      }
      log = nil
      guard let part = parts.popFirst() else { return nil }
      (files, metadata) = (part.files[...], part.metadata)
      (count, expected) = (0, part.documents)
    }
  }

  private func document(_ record: Data) throws(StatusError) -> ReadDocument {
    let place = "\(file), record \(recordNumber),"
    guard let entity = try? EntityDocument(serializedBytes: record) else {
      throw StatusError(.invalidArgument, "\(place) is not a document in Google's format")
    }
    do throws(StatusError) {
      guard entity.database == original else {
        throw StatusError(.invalidArgument, "it is in another database than the first document")
      }
      return ReadDocument(
        document: try entity.document(in: database),
        bytes: record.count,
        place: place
      )
    } catch {
      throw StatusError(.invalidArgument, "\(place) is refused: \(error.message)")
    }
  }
}
