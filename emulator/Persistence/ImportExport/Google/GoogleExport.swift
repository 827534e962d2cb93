import Core
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf

/// A writer of Google's export format.
///
/// The export has three files. The overall file names a metadata file, and the metadata file names
/// the file with the documents.
struct GoogleExport: ExportWriter {
  /// The first record of the overall file: the version that every export of Google's emulator has.
  static let version = Data("3".utf8)
  static let documentsFolder = "all_namespaces"
  private static let metadataFolder = "\(documentsFolder)/all_kinds"
  private static let metadataFile = "\(metadataFolder)/all_namespaces_all_kinds.export_metadata"
  private static let documentsFile = "output-0"

  private let folder: String
  private let name: String
  private let isForFirebase: Bool
  private let start = Timestamp.now
  private var log: LogWriter?
  private var count = 0

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - name: The name of the export. The overall file is named after it.
  ///   - isForFirebase: A Boolean value that indicates whether to write the export to a subfolder
  ///     of `folder`, and a metadata file for Firebase's tools to `folder` itself.
  init(folder: String, name: String, isForFirebase: Bool) {
    self.folder = isForFirebase ? "\(folder)/\(name)" : folder
    self.name = name
    self.isForFirebase = isForFirebase
  }

  static func fileName(_ name: String) -> String { "\(name)\(fileSuffix)" }

  static let fileSuffix = ".overall_export_metadata"

  mutating func begin(_ database: DatabaseName) throws(StatusError) {
    do {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(Self.metadataFolder)",
        withIntermediateDirectories: true
      )
    } catch {
      throw .file(folder, "can't be created")
    }
    log = try LogWriter(path: "\(folder)/\(Self.metadataFolder)/\(Self.documentsFile)")
  }

  mutating func append(_ document: Document) throws(StatusError) {
    guard let data: Data = try? EntityDocument(document).serializedBytes() else {
      throw StatusError(.internal, "\(quoted(document.name.path.description)) can't be encoded")
    }
    try log?.append(data)
    count += 1
  }

  mutating func end() throws(StatusError) { try log?.finish() }

  func finish(
    project: String,
    at time: Timestamp,
    services: [String]
  ) throws(StatusError) {
    // Without a database, the export has only data of other services.
    if log != nil { try writeOverallFile() }
    guard isForFirebase else { return }
    let parent = folder.dropLast(name.count + 1)
    try FirebaseMetadata(services: services, hasFirestore: log != nil)
      .write(to: "\(parent)/\(FirebaseMetadata.fileName)")
  }

  /// Writes the overall file, and the metadata file that it names.
  private func writeOverallFile() throws(StatusError) {
    let files = EntityExportedFiles.with {
      $0.run = .with {
        $0.name = name
        $0.startTime = start.microseconds
        $0.endTime = Timestamp.now.microseconds
      }
      $0.groups = [
        .with {
          $0.prefix = ""
          $0.files = [Self.documentsFile]
        }
      ]
    }
    let overall = EntityOverallExport.with {
      $0.kinds = [
        .with {
          $0.scope = .with {
            $0.namespaces = 2
            $0.kinds = 3
          }
          $0.metadataFile = Self.metadataFile
          $0.documentCount = Int64(count)
          $0.byteCount = Int64(log?.byteCount ?? 0)
        }
      ]
    }
    let filesData: Data
    let overallData: Data
    do {
      (filesData, overallData) = (try files.serializedBytes(), try overall.serializedBytes())
    } catch {
      throw StatusError(.internal, "an export's metadata can't be encoded")
    }
    let file = try FileOutput(path: "\(folder)/\(Self.metadataFile)")
    try file.write(filesData)
    _ = try file.finish()
    let records = try LogWriter(path: "\(folder)/\(Self.fileName(name))")
    try records.append(Self.version)
    try records.append(overallData)
    try records.finish()
  }
}
