import Core

/// The version that `emulator --version` prints.
///
/// Archives and images have a file VERSION beside the executable: one line with the version and the
/// commit. A build folder has none.
enum EmulatorVersion {
  /// The maximum number of characters that are printed.
  private static let limit = 200

  static let current = read("\(Executable.path.directory)/VERSION") ?? "development"

  /// Returns a file's first line, or `nil` if the file can't be read or starts with an empty line.
  private static func read(_ path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    let line = text.prefix { !$0.isNewline }.prefix(limit)
    return line.isEmpty ? nil : String(line)
  }
}
