import Core
import FirestoreModel

/// The manifest of an export in the emulator's own format: the list of its files. A folder with a
/// manifest is an export.
struct ExportManifest: Codable {
  /// The file with the documents of one database.
  struct Entry: Codable {
    var database: String
    /// The name of the file, which is in the same folder as the manifest.
    var file: String
    var documents: Int
    /// The SHA-256 of the file, in hexadecimal.
    var sha256: String
  }

  private struct Version: Codable {
    var format: String
    var version: Int
  }

  static let fileName = "worldchat-export.json"
  static let documentsSuffix = ".ndjson"
  private static let formatName = "worldchat-export"
  private static let latestVersion = 1

  var format = Self.formatName
  var version = Self.latestVersion
  var project: String
  /// The time of the exported state.
  var time: Timestamp
  /// The files, sorted by database ID.
  var databases: [Entry]
  /// The other services in the export, by name.
  var services: [String: ServiceEntry]?

  init(project: String, time: Timestamp, databases: [Entry], services: [String]) {
    self.project = project
    self.time = time
    self.databases = databases
    guard !services.isEmpty else { return }
    self.services = Dictionary(uniqueKeysWithValues: services.map { ($0, ServiceEntry(of: $0)) })
  }

  /// Reads a manifest.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the manifest is incomplete or malformed, or has a version that
  ///   this emulator doesn't know.
  init(reading path: String) throws(StatusError) {
    let data = try FileInput.all(of: path)
    let version = try JSON.decode(Version.self, from: data, what: path)
    guard version.format == Self.formatName else {
      throw StatusError(.invalidArgument, "\(path) has another format than \(Self.formatName)")
    }
    guard version.version == Self.latestVersion else {
      throw StatusError(
        .invalidArgument,
        "\(path) has version \(version.version), but this emulator reads only version "
          + "\(Self.latestVersion)"
      )
    }
    self = try JSON.decode(ExportManifest.self, from: data, what: path)
    var files: Set<String> = []
    for entry in databases {
      guard entry.file.isFileName, files.insert(entry.file).inserted else {
        throw StatusError(
          .invalidArgument,
          "\(path): \(quoted(entry.file)) is not the name of a file in the same folder, or occurs twice"
        )
      }
    }
    for entry in (services ?? [:]).values where !entry.path.isRelativePath {
      throw StatusError(
        .invalidArgument,
        "\(path): \(quoted(entry.path)) is not in the export's folder"
      )
    }
  }

  func write(to path: String) throws(StatusError) {
    guard let data = try? JSON.encodeIndented(self) else {
      throw StatusError(.internal, "\(path) can't be encoded")
    }
    let file = try FileOutput(path: path)
    try file.write(data + [UInt8(ascii: "\n")])
    _ = try file.finish()
  }

  /// Returns the name of a database's file.
  ///
  /// The name begins with the database ID. All characters other than letters, digits, `-`, `(` and
  /// `)` are percent-encoded.
  static func file(of database: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var name: [UInt8] = []
    for byte in database.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        name.append(byte)
      default: name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: name, as: UTF8.self) + documentsSuffix
  }
}

extension String {
  /// A Boolean value that indicates whether the text is the name of a file, and not a path.
  var isFileName: Bool {
    !isEmpty && self != "." && self != ".." && !utf8.contains(UInt8(ascii: "/"))
      && !utf8.contains(0)
  }
}
