import Core
import Rules
import Services

/// The settings in a folder's firebase.json that the emulator supports.
struct FirebaseConfiguration {
  /// The settings of one service.
  struct Endpoint: Equatable {
    var host: String?
    var port: Int?
    var isEnabled = true
  }

  /// The settings in `emulators`, by the service's name.
  var emulators: [ServiceName: Endpoint] = [:]
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
  /// Sentences about the settings that have no effect.
  var warnings: [String] = []
  /// The settings that Firebase's tools know, but this emulator doesn't.
  private var unsupported: [String] = []

  /// Creates a configuration from the file in a folder. The file is optional.
  ///
  /// - Throws: `INVALID_ARGUMENT`, with the file's name, if the file can't be read or isn't a JSON
  ///   object, or if a setting that the emulator uses has a wrong type.
  init(folder: String) throws(StatusError) {
    if let root = try SettingsFile.read("firebase.json", in: folder) {
      try readFirebaseJSON(root)
    }
    guard !unsupported.isEmpty else { return }
    let verbs = unsupported.count == 1 ? ["is", "has"] : ["are", "have"]
    warnings.append(
      "firebase.json: \(unsupported.joined(separator: ", ")) \(verbs[0]) not supported yet and "
        + "\(verbs[1]) no effect"
    )
    if unsupported.contains("functions") {
      warnings.append(
        "firebase.json: the project's own functions don't run: name a folder with executables by "
          + "--functions"
      )
    }
  }

  private mutating func readFirebaseJSON(_ root: JSONValue) throws(StatusError) {
    for (name, section) in (root.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      switch name {
      case "emulators": try readEmulators(section)
      case "firestore": try readFirestore(section)
      case "database": databaseRules = try ownedRules(section, "database", owner: "instance")
      case "storage": storageRules = try ownedRules(section, "storage", owner: "bucket")
      case "$schema": break
      default: warn(name.string, besides: Self.members)
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
      warn(member.string, in: "firestore", besides: Self.firestoreMembers)
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
    for (name, settings) in try Self.entries(of: section, "emulators") {
      switch name {
      case _ where EmulatedService[ServiceName(rawValue: name.string)] != nil:
        emulators[ServiceName(rawValue: name.string)] =
          try endpoint(settings, "emulators.\(name)")
      case "singleProjectMode":
        if settings == .boolean(true) { warn("emulators.singleProjectMode") }
      default: warn(name.string, in: "emulators", besides: Self.emulatorMembers)
      }
    }
  }

  /// Returns the settings of one emulator.
  ///
  /// - Parameter path: The place of the settings in the file.
  private mutating func endpoint(
    _ settings: JSONValue,
    _ path: String
  ) throws(StatusError) -> Endpoint {
    var endpoint = Endpoint()
    for (name, value) in try Self.entries(of: settings, path) {
      switch (name, value) {
      case ("host", .string(let host)): endpoint.host = host
      case ("port", .integer(let port)) where (0...65_535).contains(port): endpoint.port = Int(port)
      case ("enabled", .boolean(let isEnabled)): endpoint.isEnabled = isEnabled
      case ("host", _): throw Self.invalid("\(path).host is not a text")
      case ("port", _):
        throw Self.invalid("\(path).port is not a port: use a number from 0 to 65535")
      case ("enabled", _): throw Self.invalid("\(path).enabled is neither true nor false")
      default: warn(name.string, in: path, besides: Self.endpointMembers)
      }
    }
    return endpoint
  }

  /// Returns the members of an object, sorted by their names.
  ///
  /// - Parameter path: The place of the object in the file.
  private static func entries(
    of value: JSONValue,
    _ path: String
  ) throws(StatusError) -> [JSONObject.Element] {
    guard let object = value.object else { throw invalid("\(path) is not an object") }
    return object.sorted { $0.key < $1.key }
  }

  private static func invalid(_ problem: String) -> StatusError {
    StatusError(.invalidArgument, "firebase.json: \(problem)")
  }

  private mutating func warn(_ key: String) { unsupported.append(key) }

  /// Adds a warning of a setting that the emulator doesn't use, with the setting that was probably
  /// meant.
  ///
  /// - Parameters:
  ///   - section: The path of the object that has the member, or `nil` for the outermost one.
  ///   - known: The names of all members of this object that Firebase's tools know.
  private mutating func warn(
    _ member: String,
    in section: String? = nil,
    besides known: Set<ByteKey>
  ) {
    let path = section.map { "\($0).\(member)" } ?? member
    guard !known.contains(ByteKey(member)),
      let meant = member.nearest(of: known.map(\.string).sorted())
    else { return warn(path) }
    warnings.append("firebase.json: \(path) has no effect: did you mean \(meant)?")
  }

  // MARK: Known names

  /// The members of firebase.json that Firebase's tools know. Source: Firebase's JSON schema of the
  /// file.
  private static let members: Set<ByteKey> = [
    "$schema", "apphosting", "database", "dataconnect", "emulators", "extensions", "firestore",
    "functions", "hosting", "remoteconfig", "storage",
  ]

  /// The members of `emulators` that Firebase's tools know.
  private static let emulatorMembers: Set<ByteKey> = [
    "apphosting", "auth", "database", "dataconnect", "eventarc", "extensions", "firestore",
    "functions", "hosting", "hub", "logging", "pubsub", "singleProjectMode", "storage", "tasks",
    "ui",
  ]

  /// The settings of one emulator that this emulator uses.
  private static let endpointMembers: Set<ByteKey> = ["enabled", "host", "port"]

  /// The settings of Firestore that the emulator uses, or that are only about deployments.
  private static let firestoreMembers: Set<ByteKey> = [
    "database", "edition", "indexes", "location", "postdeploy", "predeploy", "rules", "target",
  ]
}
