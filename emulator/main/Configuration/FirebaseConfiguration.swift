import Core
import Rules
import Services

/// The settings in a folder's firebase.json and .firebaserc that the emulator supports.
struct FirebaseConfiguration {
  /// The settings of one service.
  struct Endpoint: Equatable {
    var host: String?
    var port: Int?
    var isEnabled = true
  }

  /// The settings in `emulators`, by the service's name.
  var emulators: [ServiceName: Endpoint] = [:]
  var project: String?
  /// The path of the file with Firestore's security rules.
  var rules: String?
  /// A file with the rules of one database or bucket, or of all others.
  struct OwnedRulesFile {
    /// The name of the database or bucket, or `nil` for all others.
    var owner: String?
    var path: String
  }

  /// The files with rules of Realtime Databases.
  var databaseRules: [OwnedRulesFile] = []
  /// The files with rules of Cloud Storage's buckets.
  var storageRules: [OwnedRulesFile] = []
  /// The path of the file with Firestore's indexes.
  var indexes: String?
  /// A sentence for each setting that isn't supported.
  var warnings: [String] = []

  /// Creates a configuration from the files in a folder. Both files are optional.
  ///
  /// - Throws: `INVALID_ARGUMENT`, with the file's name, if a file can't be read or isn't a JSON
  ///   object, a port isn't a number from 0 to 65535, or a file's path isn't a text.
  init(folder: String) throws(StatusError) {
    if let root = try Self.read("\(folder)/firebase.json") { try readFirebaseJSON(root) }
    project = try Self.project(in: folder)
  }

  /// Returns the default project in a folder's .firebaserc, or `nil` if the file doesn't exist or
  /// has no default project.
  static func project(in folder: String) throws(StatusError) -> String? {
    try read("\(folder)/.firebaserc")?["projects"]?["default"]?.string
  }

  private static func read(_ path: String) throws(StatusError) -> JSONValue? {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      var information = stat()
      guard lstat(path, &information) == 0 else { return nil }
      // Without the file's rules, all data would be open.
      throw StatusError(.invalidArgument, "\(path) can't be read")
    }
    guard let value = try? JSONValue(parsing: data), value.object != nil else {
      throw StatusError(.invalidArgument, "\(path) is not a JSON object")
    }
    return value
  }

  private mutating func readFirebaseJSON(_ root: JSONValue) throws(StatusError) {
    for (name, section) in (root.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      switch name {
      case "emulators": try readEmulators(section)
      case "firestore": try readFirestore(section)
      case "database": databaseRules = try ownedRules(section, "database", owner: "instance")
      case "storage": storageRules = try ownedRules(section, "storage", owner: "bucket")
      case "$schema": break
      default: warn(name.string)
      }
    }
  }

  /// Reads the settings of Firestore: an object, or a list with one for each database.
  ///
  /// The settings of the default database hold for all databases. If there are none, those of the
  /// first database do.
  private mutating func readFirestore(_ section: JSONValue) throws(StatusError) {
    let databases = section.array ?? [section]
    guard databases.allSatisfy({ $0.object != nil }), !databases.isEmpty else {
      throw StatusError(
        .invalidArgument,
        "firebase.json: firestore is neither an object nor a list of objects"
      )
    }
    let names = databases.map { $0["database"]?.string ?? "(default)" }
    let index = names.firstIndex(of: "(default)") ?? 0
    rules = try Self.path(databases[index]["rules"], "firestore.rules")
    indexes = try Self.path(databases[index]["indexes"], "firestore.indexes")
    for (other, name) in names.enumerated() where other != index {
      warn("firestore[\(other)], of the database \(quoted(name)),")
    }
    if names[index] != "(default)" {
      warnings.append(
        "firebase.json: the rules and indexes of the database \(quoted(names[index])) "
          + "hold for all databases"
      )
    }
    for member in (databases[index].object ?? [:]).keys.sorted()
    where !Self.firestoreMembers.contains(member) {
      warn("firestore.\(member)")
    }
  }

  /// Returns the rules in the settings of a service: an object, or a list with one for each database
  /// or bucket.
  ///
  /// - Parameter owner: The name of the member that names the database or bucket.
  private mutating func ownedRules(
    _ section: JSONValue,
    _ service: String,
    owner: ByteKey
  ) throws(StatusError) -> [OwnedRulesFile] {
    let entries = section.array ?? [section]
    guard entries.allSatisfy({ $0.object != nil }) else {
      throw StatusError(
        .invalidArgument,
        "firebase.json: \(service) is neither an object nor a list of objects"
      )
    }
    var files: [OwnedRulesFile] = []
    for (index, settings) in entries.enumerated() {
      let name = settings[owner.string]?.string
      if name == nil, section.array != nil {
        warn("\(service)[\(index)], which names no \(owner),")
        continue
      }
      guard let path = try Self.path(settings["rules"], "\(service).rules") else { continue }
      files.append(OwnedRulesFile(owner: name, path: path))
    }
    return files
  }

  /// The settings of Firestore that the emulator uses, or that are only about deployments.
  private static let firestoreMembers: Set<ByteKey> = [
    "database", "edition", "indexes", "location", "postdeploy", "predeploy", "rules", "target",
  ]

  /// Returns the path of a file that a setting names, or `nil` if there is none.
  private static func path(_ value: JSONValue?, _ name: String) throws(StatusError) -> String? {
    switch value {
    case nil, .null: return nil
    case .string(let path)? where !path.isEmpty: return path
    default:
      throw StatusError(
        .invalidArgument,
        "firebase.json: \(name) is not the path of a file"
      )
    }
  }

  private mutating func readEmulators(_ section: JSONValue) throws(StatusError) {
    for (name, settings) in (section.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      switch name {
      case _ where EmulatedService[ServiceName(rawValue: name.string)] != nil:
        var endpoint = Endpoint(host: settings["host"]?.string)
        switch settings["port"] {
        case .integer(let port)? where (0...65_535).contains(port): endpoint.port = Int(port)
        case nil: break
        default:
          throw StatusError(
            .invalidArgument,
            "firebase.json: emulators.\(name).port is not a port: use a number from 0 to 65535"
          )
        }
        if settings["enabled"] == .boolean(false) { endpoint.isEnabled = false }
        emulators[ServiceName(rawValue: name.string)] = endpoint
        for member in (settings.object ?? [:]).keys.sorted()
        where !["host", "port", "enabled"].contains(member) {
          warn("emulators.\(name).\(member)")
        }
      case "singleProjectMode":
        if settings == .boolean(true) { warn("emulators.singleProjectMode") }
      default: warn("emulators.\(name)")
      }
    }
  }

  private mutating func warn(_ key: String) {
    warnings.append("firebase.json: \(key) is not supported yet and has no effect")
  }
}
