package import Core

/// An error of Cloud Storage, with its HTTP status and the reason that clients branch on.
package struct StorageError: Error, Hashable, Sendable {
  package var httpStatus: Int
  /// The reason in the JSON API, such as `notFound`.
  package var reason: String
  package var message: String
  /// The status of the error's code, for parts of the emulator that know only such errors.
  package var code: StatusCode

  init(_ httpStatus: Int, _ reason: String, _ message: String, code: StatusCode) {
    self.httpStatus = httpStatus
    self.reason = reason
    self.message = message
    self.code = code
  }

  /// Creates the error of another part of the emulator, such as the journal.
  package init(_ error: StatusError) {
    let reason =
      switch error.code {
      case .invalidArgument, .outOfRange, .failedPrecondition: "invalid"
      case .unauthenticated: "required"
      case .permissionDenied: "forbidden"
      case .notFound: "notFound"
      case .alreadyExists: "conflict"
      case .unimplemented: "notImplemented"
      case .resourceExhausted: "rateLimitExceeded"
      default: "backendError"
      }
    self.init(error.code.httpStatus, reason, error.message, code: error.code)
  }

  var statusError: StatusError { StatusError(code, message) }

  static func invalid(_ message: String) -> StorageError {
    StorageError(400, "invalid", message, code: .invalidArgument)
  }

  static func noBucket(_ name: String) -> StorageError {
    StorageError(
      404,
      "notFound",
      "The specified bucket does not exist: create \(quoted(name)) first.",
      code: .notFound
    )
  }

  static func noObject(_ name: String, in bucket: String) -> StorageError {
    StorageError(404, "notFound", "No such object: \(bucket)/\(name)", code: .notFound)
  }

  static func noUpload() -> StorageError {
    StorageError(
      404,
      "notFound",
      "The upload doesn't exist, or has expired: start a new one.",
      code: .notFound
    )
  }

  static func conflict(_ message: String) -> StorageError {
    StorageError(409, "conflict", message, code: .alreadyExists)
  }

  /// The error of a condition such as `ifGenerationMatch` that isn't true.
  static let conditionNotMet = StorageError(
    412,
    "conditionNotMet",
    "At least one of the pre-conditions you specified did not hold.",
    code: .failedPrecondition
  )

  /// The answer to a read whose condition such as `ifGenerationNotMatch` isn't true.
  static let notModified = StorageError(304, "notModified", "", code: .failedPrecondition)

  static func rangeNotSatisfiable(_ message: String) -> StorageError {
    StorageError(416, "requestedRangeNotSatisfiable", message, code: .outOfRange)
  }

  /// The error of a request for a part of Cloud Storage that the emulator doesn't have.
  static func notEmulated(_ what: String) -> StorageError {
    StorageError(501, "notImplemented", "\(what) not emulated", code: .unimplemented)
  }

  static func diskFull(_ message: String) -> StorageError {
    StorageError(507, "insufficientStorage", message, code: .resourceExhausted)
  }

  /// Calls a closure and wraps its error.
  static func wrapping<Success>(
    _ body: () throws(StatusError) -> Success
  ) throws(StorageError) -> Success {
    do throws(StatusError) {
      return try body()
    } catch {
      throw StorageError(error)
    }
  }
}
