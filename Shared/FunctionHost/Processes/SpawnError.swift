import Core

/// Checks that the command's values can be passed to a process: as C strings they would silently be
/// cut at a NUL character.
///
/// - Throws: INVALID_ARGUMENT. The message doesn't contain the value, which may be a secret.
func checkGivable(
  _ command: Command,
  arguments: [String],
  environment: [String: String]
) throws(StatusError) {
  let texts = arguments + environment.values + [command.workingDirectory ?? ""]
  guard !texts.contains(where: { $0.utf8.contains(0) }) else {
    throw StatusError(
      .invalidArgument,
      "the command, an argument, a variable or the directory contains a NUL character"
    )
  }
  for name in environment.keys where name.isEmpty || name.utf8.contains(where: isNoNameByte) {
    throw StatusError(.invalidArgument, "'\(name)' is not a valid name of an environment variable")
  }
}

private func isNoNameByte(_ byte: UInt8) -> Bool {
  byte == 0 || byte == UInt8(ascii: "=")
}

/// Returns the error to report for an errno value of posix_spawn.
func spawnError(_ error: Int32, _ path: String, _ command: Command) -> StatusError {
  if let directory = command.workingDirectory, access(directory, X_OK) != 0 {
    return StatusError(
      .notFound,
      "can't start \(path) in \(directory): no such directory, or no permission to enter it"
    )
  }
  return switch error {
  case ENOENT where access(path, F_OK) == 0:
    StatusError(.notFound, "the interpreter or loader of \(path) is missing")
  case ENOENT, ENOTDIR:
    StatusError(.notFound, "\(path) doesn't exist")
  case EACCES, EPERM:
    StatusError(.permissionDenied, "\(path) is not executable")
  case ENOEXEC:
    StatusError(
      .failedPrecondition,
      "\(path) is neither a program for this machine nor a script whose first line begins with #!"
    )
  case E2BIG:
    StatusError(.invalidArgument, "the arguments and environment for \(path) are too long")
  case ETXTBSY:
    StatusError(.unavailable, "\(path) is being written: try again when it is complete")
  case EAGAIN, ENOMEM, EMFILE, ENFILE:
    StatusError(.resourceExhausted, "starting \(path) failed: \(systemMessage(error))")
  default:
    StatusError(.internal, "starting \(path) failed: \(systemMessage(error))")
  }
}
