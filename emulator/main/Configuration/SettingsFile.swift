import Core

/// firebase.json and .firebaserc, which may have comments.
enum SettingsFile {
  /// Returns the content of a file in a folder, or `nil` if the file doesn't exist.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the file can't be read or isn't a JSON object. The error
  ///   names the file, and the line and column of invalid JSON.
  static func read(_ name: String, in folder: String) throws(StatusError) -> JSONValue? {
    let path = "\(folder)/\(name)"
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      var information = stat()
      guard lstat(path, &information) == 0 else { return nil }
      // Without the file's rules, all data would be open.
      throw StatusError(.invalidArgument, "\(path) can't be read")
    }
    let value = try JSON.parseSettings(data, what: path)
    guard value.object != nil else {
      throw StatusError(.invalidArgument, "\(path) is not a JSON object")
    }
    return value
  }
}
