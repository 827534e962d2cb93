package import Core

/// The exit code of a function's process. The numbers are those of sysexits.h.
package enum ExitCode: Int32, Sendable, Codable {
  /// The event was handled, or skipped because there was nothing to do.
  case ok = 0
  /// The command line is wrong.
  case usage = 64
  /// The event is invalid. Don't deliver it again.
  case badEvent = 65
  /// A bug of the function.
  case bug = 70
  /// A temporary failure, such as of a provider or the database. Deliver the event again.
  case tryAgain = 75
  /// The caller isn't allowed to do this.
  case notAllowed = 77
  /// A key or variable of the function is missing or was refused.
  case configuration = 78

  /// Creates the exit code for an error. Only this initializer maps codes of google.rpc to exit
  /// codes.
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
