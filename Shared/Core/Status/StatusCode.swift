/// A canonical code of google.rpc, used by all errors of this package.
///
/// Codes are mapped to HTTP statuses here, and to exit codes in `FunctionRuntime`. Source:
/// google/rpc/code.proto.
package enum StatusCode: String, Sendable, Hashable, CaseIterable, Codable {
  case ok = "OK"
  case cancelled = "CANCELLED"
  case unknown = "UNKNOWN"
  case invalidArgument = "INVALID_ARGUMENT"
  case deadlineExceeded = "DEADLINE_EXCEEDED"
  case notFound = "NOT_FOUND"
  case alreadyExists = "ALREADY_EXISTS"
  case permissionDenied = "PERMISSION_DENIED"
  case resourceExhausted = "RESOURCE_EXHAUSTED"
  case failedPrecondition = "FAILED_PRECONDITION"
  case aborted = "ABORTED"
  case outOfRange = "OUT_OF_RANGE"
  case unimplemented = "UNIMPLEMENTED"
  case `internal` = "INTERNAL"
  case unavailable = "UNAVAILABLE"
  case dataLoss = "DATA_LOSS"
  case unauthenticated = "UNAUTHENTICATED"

  /// The code's number in google/rpc/code.proto, used by gRPC and google.rpc.Status.
  package var number: Int {
    switch self {
    case .ok: 0
    case .cancelled: 1
    case .unknown: 2
    case .invalidArgument: 3
    case .deadlineExceeded: 4
    case .notFound: 5
    case .alreadyExists: 6
    case .permissionDenied: 7
    case .resourceExhausted: 8
    case .failedPrecondition: 9
    case .aborted: 10
    case .outOfRange: 11
    case .unimplemented: 12
    case .internal: 13
    case .unavailable: 14
    case .dataLoss: 15
    case .unauthenticated: 16
    }
  }

  /// The HTTP status that Google's APIs and the callable protocol use for this code.
  package var httpStatus: Int {
    switch self {
    case .ok: 200
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .unknown, .internal, .dataLoss: 500
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    }
  }

  /// Creates the code that fits an HTTP status best, for responses without a code.
  package init(httpStatus: Int) {
    switch httpStatus {
    case 200..<300: self = .ok
    case 401: self = .unauthenticated
    case 403: self = .permissionDenied
    case 404: self = .notFound
    case 408, 504: self = .deadlineExceeded
    case 409: self = .aborted
    case 429: self = .resourceExhausted
    case 499: self = .cancelled
    case 501: self = .unimplemented
    case 400..<500: self = .invalidArgument
    case 502, 503: self = .unavailable
    default: self = .internal
    }
  }

  /// A Boolean value that indicates whether the same request may succeed later without any change.
  package var isRetryable: Bool {
    switch self {
    case .unavailable, .deadlineExceeded, .resourceExhausted, .aborted: true
    case .ok, .cancelled, .unknown, .invalidArgument, .notFound, .alreadyExists,
      .permissionDenied, .failedPrecondition, .outOfRange, .unimplemented, .internal,
      .dataLoss, .unauthenticated:
      false
    }
  }
}
