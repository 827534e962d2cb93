import Core
import Services

/// The file of `--ready-file`: a JSON object with the host and port of each service.
///
/// The file exists only while the emulator is ready. So a program that waits for it doesn't find the
/// file of an earlier run.
struct ReadyFile: Sendable {
  let path: String

  private enum Kind {
    case missing, regular
    /// A pipe or a terminal, which is written to directly and never removed.
    case other
  }

  private var kind: Kind {
    var information = stat()
    guard stat(path, &information) == 0 else { return .missing }
    return information.st_mode & S_IFMT == S_IFREG ? .regular : .other
  }

  /// Removes the file that an earlier run has left.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the file can't be removed.
  func removeStale() throws(StatusError) {
    guard kind == .regular else { return }
    guard unlink(path) == 0 || errno == ENOENT else { throw failure }
  }

  /// Writes the file atomically, by renaming a temporary file, so that a waiting program never
  /// reads half of it.
  func write(_ addresses: Addresses) throws(StatusError) {
    let line = try Self.line(addresses)
    let isOther = kind == .other
    let target = isOther ? path : "\(path).\(getpid())"
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw failure }
    defer { close(descriptor) }
    guard writeAll(line, to: descriptor), isOther || rename(target, path) == 0 else {
      let error = failure
      if !isOther { unlink(target) }
      throw error
    }
  }

  /// Removes the file, unless another emulator has replaced it.
  func remove(_ addresses: Addresses) {
    guard kind == .regular, let line = try? Self.line(addresses),
      (try? Data(contentsOf: URL(filePath: path))) == line
    else { return }
    unlink(path)
  }

  private static func line(_ addresses: Addresses) throws(StatusError) -> Data {
    guard let line = try? JSON.encode(addresses.all) else {
      throw StatusError(.internal, "the ready file can't be encoded")
    }
    return line + [0x0A]
  }

  private var failure: StatusError {
    StatusError(.failedPrecondition, "--ready-file \(path): \(lastSystemError())")
  }
}
