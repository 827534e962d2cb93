import Core
import FunctionRuntime
import Testing

@testable import sendNotification

/// The error that a function reports when pushes to several recipients have failed.
struct RecipientResultTests {
  private static let passing = StatusError(.unavailable, "503")
  private static let quota = StatusError(.resourceExhausted, "429", retryAfter: .seconds(60))
  private static let refused = StatusError.configuration(.permissionDenied, "401")
  private static let bug = StatusError(.internal, "400")
  private static let bad = StatusError(.invalidArgument, "too large")

  @Test(
    arguments: [
      ([], nil), ([bad], nil), ([bad, bug], bug), ([bug, refused], refused),
      ([refused, bug, passing], passing), ([passing, quota, refused], quota),
      ([quota, passing], quota),
    ] as [([StatusError], StatusError?)]
  )
  func `the exit code shows what is left to do, retryable failures first`(
    failures: [StatusError],
    expected: StatusError?
  ) {
    // Each failure is of a different recipient.
    let results = failures.map { failure in
      var result = RecipientResult(report: .init(uid: "u", unread: 1))
      result.failures = [failure]
      return result
    }
    #expect(results.remainder == expected)
  }
}
