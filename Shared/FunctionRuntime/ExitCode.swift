package import Core

/// The exit code of a function's process, with the numbers of sysexits.h.
package enum ExitCode: Int32, Sendable, Codable {
  /// The event was handled or rightly skipped.
  case ok = 0
  /// The command line is wrong.
  case usage = 64
  /// The event is invalid: don't deliver it again.
  case badEvent = 65
  /// A bug of the function.
  case bug = 70
  /// A temporary failure, such as of a provider or the database: try again.
  case tryAgain = 75
  /// The caller isn't allowed to do this.
  case notAllowed = 77
  /// A key or variable of the function is missing or was refused.
  case configuration = 78

  /// Creates the exit code of an error. Codes of google.rpc are mapped only here.
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
