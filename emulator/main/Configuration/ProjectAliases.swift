import Core

/// The names that .firebaserc gives to projects' ids, such as `staging`.
struct ProjectAliases {
  /// The alias that is used if no project is named.
  private static let defaultAlias: ByteKey = "default"

  private let ids: JSONObject

  /// Reads the aliases in a folder's .firebaserc, which is optional.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the file can't be read or isn't a JSON object, or if its
  ///   projects aren't an object with an id for each alias.
  init(folder: String) throws(StatusError) {
    let projects = try SettingsFile.read(".firebaserc", in: folder)?["projects"] ?? .object([:])
    guard let ids = projects.object else {
      throw StatusError(
        .invalidArgument,
        #".firebaserc: projects is not an object: use {"ALIAS": "PROJECT ID"}"#
      )
    }
    if let alias = ids.filter({ $0.value.string == nil }).keys.min() {
      throw StatusError(
        .invalidArgument,
        ".firebaserc: projects.\(alias) is not a project's id: use a text"
      )
    }
    self.ids = ids
  }

  /// Returns the project id for an alias, or the name itself if there is no such alias.
  ///
  /// - Parameter name: An alias or a project id, or `nil` for the default alias.
  /// - Returns: The id, or `nil` if there is no default alias.
  /// - Throws: `INVALID_ARGUMENT` if the id can't be one of a project.
  func project(_ name: String?) throws(StatusError) -> String? {
    guard let id = name.map({ ids.strings[$0] ?? $0 }) ?? ids[Self.defaultAlias]?.string else {
      return nil
    }
    guard !id.isEmpty, id.utf8.allSatisfy(Self.isProjectByte) else {
      throw StatusError(.invalidArgument, problem(of: id, named: name))
    }
    return id
  }

  /// Returns a sentence that names the alias that was probably meant by a name, or `nil` if the name
  /// is an alias or the id of one, or if no alias is near.
  func warning(of name: String?) -> String? {
    let ids = ids.strings
    guard let name, ids[name] == nil, !ids.values.contains(where: { $0.hasSameBytes(as: name) }),
      let meant = name.nearest(of: ids.keys.sorted())
    else { return nil }
    return "--project \(name): did you mean the alias \(meant)?"
  }

  private func problem(of id: String, named name: String?) -> String {
    let rule = "an id has only lower-case letters, digits and hyphens"
    guard let name else { return ".firebaserc: the default project is \(quoted(id)): \(rule)" }
    let aliases = ids.strings.keys.sorted()
    if aliases.contains(where: { $0.hasSameBytes(as: name) }) {
      return "--project \(quoted(name)): .firebaserc's id is \(quoted(id)): \(rule)"
    }
    guard !aliases.isEmpty else { return "--project \(quoted(id)): \(rule)" }
    let meant = id.nearest(of: aliases).map { ": did you mean \($0)?" }
    let known = aliases.prefix(10).map { quoted($0) }.joined(separator: ", ")
    return "--project \(quoted(id)): \(rule), and .firebaserc has no such alias"
      + (meant ?? ", but \(known)")
  }

  private static func isProjectByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
