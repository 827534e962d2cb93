package import Core

/// What a function's process says to whoever started it; the numbers are those of sysexits.h.
package enum ExitCode: Int32, Sendable, Codable {
  /// Done, or rightly skipped.
  case ok = 0
  /// The command line is wrong.
  case usage = 64
  /// The event is bad and stays bad: don't deliver it again.
  case badEvent = 65
  /// A bug of ours.
  case bug = 70
  /// Try again: the provider, the database or the clock was against us.
  case tryAgain = 75
  /// The caller isn't allowed to.
  case notAllowed = 77
  /// A key or variable of ours is missing or was refused.
  case configuration = 78

  /// The exit code of a failure: the one place where codes of google.rpc become exit codes.
  package init(_ error: StatusError) {
    if error.fault == .configuration {
      self = .configuration
      return
    }
    switch error.code {
    case .ok: self = .ok
    case .invalidArgument, .notFound, .outOfRange, .alreadyExists, .failedPrecondition:
      self = .badEvent
    case .unauthenticated, .permissionDenied: self = .notAllowed
    case .unavailable, .deadlineExceeded, .resourceExhausted, .aborted: self = .tryAgain
    case .cancelled, .unknown, .unimplemented, .internal, .dataLoss: self = .bug
    }
  }
}
