import Core
import Services

/// The file of `--ready-file`: a JSON object with the host and port of each service.
enum ReadyFile {
  /// Writes the file atomically, by renaming a temporary file, so that a waiting program never
  /// reads half of it. A pipe or a terminal is written to directly.
  static func write(_ addresses: Addresses, to path: String) throws(StatusError) {
    guard let line = try? JSON.encode(addresses.all) else {
      throw StatusError(.internal, "the ready file can't be encoded")
    }
    var information = stat()
    let isOther = stat(path, &information) == 0 && information.st_mode & S_IFMT != S_IFREG
    let target = isOther ? path : "\(path).\(getpid())"
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard writeAll(line + [0x0A], to: descriptor), isOther || rename(target, path) == 0 else {
      throw failure(path)
    }
  }

  private static func failure(_ path: String) -> StatusError {
    StatusError(.failedPrecondition, "--ready-file \(path): \(lastSystemError())")
  }
}
