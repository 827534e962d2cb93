import Core

/// Refuses what a C string or an environment can't carry, which would else be cut off silently.
///
/// - Throws: INVALID_ARGUMENT, without the text itself: it may be a key.
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
    throw StatusError(.invalidArgument, "\"\(name)\" can't be the name of a variable")
  }
}

private func isNoNameByte(_ byte: UInt8) -> Bool {
  byte == 0 || byte == UInt8(ascii: "=")
}

/// What an errno value of posix_spawn means for a person.
func spawnError(_ error: Int32, _ path: String, _ command: Command) -> StatusError {
  if let directory = command.workingDirectory, access(directory, X_OK) != 0 {
    return StatusError(.notFound, "no directory \(directory) to start \(path) in")
  }
  return switch error {
  case ENOENT where access(path, F_OK) == 0:
    StatusError(.notFound, "the interpreter or loader of \(path) is missing")
  case ENOENT, ENOTDIR:
    StatusError(.notFound, "there is no \(path)")
  case EACCES, EPERM:
    StatusError(.permissionDenied, "\(path) is not executable")
  case ENOEXEC:
    StatusError(
      .failedPrecondition,
      "\(path) is neither a program for this machine nor a script with a first line #!"
    )
  case E2BIG:
    StatusError(.invalidArgument, "the arguments and environment for \(path) are too long")
  case ETXTBSY:
    StatusError(.unavailable, "\(path) is being written")
  case EAGAIN, ENOMEM, EMFILE, ENFILE:
    StatusError(.resourceExhausted, "\(path) didn't start: \(systemMessage(error))")
  default:
    StatusError(.internal, "\(path) didn't start: \(systemMessage(error))")
  }
}
