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
  /// The other services in the export, by name.
  private var services: [String: ServiceEntry] = [:]

  private enum CodingKeys: String, CodingKey {
    case version, firestore
  }

  /// Creates the metadata of an export in the usual folders.
  init(services: [String], hasFirestore: Bool) {
    version = "1.0.0"
    for name in services { self.services[name] = ServiceEntry(of: name) }
    guard hasFirestore else { return }
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
    let members = try decoder.container(keyedBy: MemberName.self)
    for key in members.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
      let entry = try? members.decode(ServiceEntry.self, forKey: key)
      services[key.stringValue] = entry ?? ServiceEntry(of: key.stringValue)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encodeIfPresent(firestore, forKey: .firestore)
    var members = encoder.container(keyedBy: MemberName.self)
    for (name, entry) in services {
      try members.encode(entry, forKey: MemberName(stringValue: name))
    }
  }

  init(reading path: String) throws(StatusError) {
    self = try JSON.decode(FirebaseMetadata.self, from: FileInput.all(of: path), what: path)
    guard firestore != nil || !services.isEmpty else {
      throw StatusError(.notFound, "\(path): the export has no data of any service")
    }
    for file in [firestore?.metadataFile].compactMap({ $0 }) + services.values.map(\.path) {
      guard file.isRelativePath else {
        throw StatusError(
          .invalidArgument,
          "\(path): \(quoted(file)) is not in the export's folder"
        )
      }
    }
  }

  /// Returns the path of the overall file of Firestore's export, or `nil` if the export has no data
  /// of Firestore.
  func overallFile(in folder: String) -> String? {
    firestore.map { "\(folder)/\($0.metadataFile)" }
  }

  /// Returns the folders of the other services by the services' names.
  func serviceFolders(in folder: String) -> [String: String] {
    services.mapValues { "\(folder)/\($0.path)" }
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
