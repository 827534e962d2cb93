import Core
import FunctionRuntime
import Testing

struct ExitCodeTests {
  /// The table in the contract. A status code that isn't in the table fails the test.
  static let table: [StatusCode: Int32] = [
    .ok: 0, .invalidArgument: 65, .notFound: 65, .outOfRange: 65, .alreadyExists: 65,
    .failedPrecondition: 65, .unauthenticated: 77, .permissionDenied: 77, .unavailable: 75,
    .deadlineExceeded: 75, .resourceExhausted: 75, .aborted: 75, .cancelled: 70, .unknown: 70,
    .unimplemented: 70, .internal: 70, .dataLoss: 70,
  ]

  @Test(arguments: StatusCode.allCases)
  func `a failure has the exit code of the contract's table`(code: StatusCode) {
    let error = StatusError(code, "because")
    #expect(ExitCode(error).rawValue == Self.table[code])
    #expect(FunctionReply.Failure(error).retryable == (Self.table[code] == 75))
    #expect(code.isRetryable == (Self.table[code] == 75))
  }

  @Test(arguments: StatusCode.allCases)
  func `a configuration error ends with 78 and isn't retried`(code: StatusCode) {
    let error = StatusError.configuration(code, "KEY is not set")
    #expect(ExitCode(error) == .configuration)
    #expect(ExitCode(error).rawValue == 78)
    #expect(!FunctionReply.Failure(error).retryable)
  }
}
