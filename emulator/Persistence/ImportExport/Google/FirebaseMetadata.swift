import Core

/// The file by which Firebase's tools recognize a folder as an export. The export may also contain
/// the data of other services.
struct FirebaseMetadata: Codable {
  struct Firestore: Codable {
    var version: String
    /// The path of Firestore's export folder, relative to the folder of this file.
    var path: String
    /// The path of the overall file, from which Firestore's export is read, relative to the folder
    /// of this file.
    var metadataFile: String

    private enum CodingKeys: String, CodingKey {
      case version, path
      case metadataFile = "metadata_file"
    }
  }

  static let fileName = "firebase-export-metadata.json"
  static let firestoreFolder = "firestore_export"

  var version: String
  var firestore: Firestore?
  /// The names of the other services in the export.
  private(set) var otherServices: [String] = []

  private enum CodingKeys: String, CodingKey {
    case version, firestore
  }

  /// Creates the metadata of an export in the usual folder.
  init() {
    version = "1.0.0"
    firestore = Firestore(
      version: "1.0.0",
      path: Self.firestoreFolder,
      metadataFile: "\(Self.firestoreFolder)/\(GoogleExport.fileName(Self.firestoreFolder))"
    )
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(String.self, forKey: .version)
    firestore = try container.decodeIfPresent(Firestore.self, forKey: .firestore)
    otherServices = try decoder.container(keyedBy: MemberName.self).allKeys
      .map(\.stringValue).filter { CodingKeys(stringValue: $0) == nil }.sorted()
  }

  init(reading path: String) throws(StatusError) {
    self = try JSON.decode(FirebaseMetadata.self, from: FileInput.all(of: path), what: path)
    guard let firestore else {
      throw StatusError(.notFound, "\(path): the export has no Firestore data")
    }
    guard firestore.metadataFile.isRelativePath else {
      throw StatusError(
        .invalidArgument,
        "\(path): \(quoted(firestore.metadataFile)) is not in the export's folder"
      )
    }
  }

  /// Returns the path of the overall file of Firestore's export.
  func overallFile(in folder: String) -> String {
    "\(folder)/\(firestore?.metadataFile ?? "")"
  }

  func write(to path: String) throws(StatusError) {
    guard let data = try? JSON.encode(self) else {
      throw StatusError(.internal, "\(path) can't be encoded")
    }
    let file = try FileOutput(path: path)
    try file.write(data)
    _ = try file.finish()
  }
}

extension String {
  /// A Boolean value that indicates whether the path is relative and doesn't leave its folder.
  var isRelativePath: Bool {
    !utf8.contains(0)
      && split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
      }
  }
}
