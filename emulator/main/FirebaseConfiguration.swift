import Core
import Services

/// What firebase.json and .firebaserc of a folder say, as far as the emulator follows them.
struct FirebaseConfiguration {
  struct Endpoint: Equatable {
    var host: String?
    var port: Int?
    var isEnabled = true
  }

  /// By the service's name, as in `emulators`.
  var emulators: [ServiceName: Endpoint] = [:]
  var project: String?
  /// The file of Firestore's rules.
  var rules: String?
  /// The file of Firestore's composite indexes.
  var indexes: String?
  /// What is there and isn't supported.
  var warnings: [String] = []

  /// - Throws: `INVALID_ARGUMENT`, naming the file, if one isn't JSON or a member has the wrong
  ///   type.
  init(folder: String) throws(StatusError) {
    if let root = try Self.read("\(folder)/firebase.json") { try readFirebaseJSON(root) }
    project = try Self.project(in: folder)
  }

  /// What .firebaserc of a folder says; nil if it says nothing or isn't there.
  static func project(in folder: String) throws(StatusError) -> String? {
    try read("\(folder)/.firebaserc")?["projects"]?["default"]?.string
  }

  private static func read(_ path: String) throws(StatusError) -> JSONValue? {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
    guard let value = try? JSONValue(parsing: data), value.object != nil else {
      throw StatusError(.invalidArgument, "\(path) is not a JSON object")
    }
    return value
  }

  private mutating func readFirebaseJSON(_ root: JSONValue) throws(StatusError) {
    for (name, section) in (root.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      switch name {
      case "emulators": try readEmulators(section)
      case "firestore":
        // A list of databases has rules each; the first ones count.
        let first = section.array?.first ?? section
        if section.array?.count ?? 0 > 1 {
          warn("firestore[1]: a second database's rules and indexes")
        }
        rules = first["rules"]?.string
        indexes = first["indexes"]?.string
      case "$schema": break
      default: warn(name.string)
      }
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
            "firebase.json: emulators.\(name).port is not a port"
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
