import Testing

/// A row of the table of faults: a provider's fault, a function, and the expected outcome.
///
/// `Functions/FAULTS.md` has the same table for readers.
struct ProviderFault: Sendable, CustomTestStringConvertible {
  /// The expected state of the message, push or answer, until the event is delivered again.
  enum Sight: String, Sendable {
    case translated = "the translation"
    case retryIcon = "the original, and a sign to try again"
    case push = "a push in their language"
    case originalPush = "a push in the original language"
    case noPush = "no push yet"
    case deadToken = "no push; the token is forgotten"
    case answer = "the answer"
    case unavailable = "AI temporarily unavailable"
    case fallback = "three replies that are not a model's"
    case declined = "that the model declined"
    case tooLong = "that the conversation is too long"
    case broken = "that the function is not configured"
  }

  enum Pace: Sendable {
    case quick
    /// The run ends at the time limit for one response of the provider.
    case budget
    /// The run ends at the invocation's deadline.
    case deadline
  }

  var provider: String
  /// The fault's name in `Functions/FAULTS.md`.
  var title: String
  /// The fields of the body for `POST /providers/faults`, without `provider` and `times`.
  var members: String
  var function: String
  /// The number of requests that fail. The default is more than any function sends.
  var times = 99
  var exitCode: Int32
  /// The error's code, or `nil` for success.
  var code: String?
  /// The expected number of requests to the provider in one run.
  var calls: Int
  var sight: Sight
  /// The expected retry delay in milliseconds that the function reports, or `nil` for none.
  var retryAfter: Int?
  var pace = Pace.quick
  /// A Boolean value that indicates whether the provider did the work and only its response was
  /// lost.
  ///
  /// If so, the provider does the work again, and bills it again.
  var isCarriedOut = false

  var testDescription: String { "\(provider), \(title): \(function)" }

  /// The request body for `POST /providers/faults`.
  var form: String { #"{"provider":"\#(provider)","times":\#(times),\#(members)}"# }

  /// The Markdown row of the table in `Functions/FAULTS.md`.
  var line: String {
    let outcome = code.map { "`\($0)`" } ?? "ok"
    let wait = retryAfter.map { ", after \($0 / 1000) s" } ?? ""
    return "| \(title) | \(function) | \(exitCode) \(outcome)\(wait) | \(calls) "
      + "| \(sight.rawValue) |"
  }
}

/// A fault of a provider, and the outcome of a function that meets it.
struct FaultCause: Sendable {
  /// The end of a function's run.
  struct End: Sendable {
    var exitCode: Int32
    /// The error's code, or `nil` for success.
    var code: String?

    static let success = End(exitCode: 0)
    static let declined = End(exitCode: 65, code: "FAILED_PRECONDITION")
    static let invalid = End(exitCode: 65, code: "INVALID_ARGUMENT")
    static let late = End(exitCode: 75, code: "DEADLINE_EXCEEDED")
    static let overQuota = End(exitCode: 75, code: "RESOURCE_EXHAUSTED")
    static let unavailable = End(exitCode: 75, code: "UNAVAILABLE")
    static let denied = End(exitCode: 78, code: "PERMISSION_DENIED")
    static let misconfigured = End(exitCode: 78, code: "FAILED_PRECONDITION")
    static let notFound = End(exitCode: 78, code: "NOT_FOUND")
    static let quotaUsedUp = End(exitCode: 78, code: "RESOURCE_EXHAUSTED")
    static let unauthenticated = End(exitCode: 78, code: "UNAUTHENTICATED")
  }

  var title: String
  var members: String
  var end: End
  var calls: Int
  var retryAfter: Int?
  var isSlow = false
  var isCarriedOut = false

  init(
    _ title: String,
    _ members: String,
    _ end: End,
    calls: Int,
    retryAfter: Int? = nil,
    isSlow: Bool = false,
    isCarriedOut: Bool = false
  ) {
    self.title = title
    self.members = members
    self.end = end
    self.calls = calls
    self.retryAfter = retryAfter
    self.isSlow = isSlow
    self.isCarriedOut = isCarriedOut
  }

  /// Returns the fields of a fault whose response has this status.
  static func status(_ status: Int, _ members: String = "") -> String {
    #""kind":"status","status":\#(status)\#(members)"#
  }

  static func kind(_ kind: String, _ members: String = "") -> String {
    #""kind":"\#(kind)"\#(members)"#
  }

  static let retryAfterMinute = #","headers":{"Retry-After":"60"}"#
  /// A delay that exceeds every time limit in the tests.
  static let forLong = #","delayMilliseconds":30000"#

  /// Returns temporary faults in which no readable response arrives, for any provider.
  ///
  /// - Parameter calls: the expected number of requests.
  static func lost(calls: Int) -> [FaultCause] {
    [
      FaultCause("resets the connection", kind("reset"), .unavailable, calls: calls),
      FaultCause("HTML, 502", kind("html"), .unavailable, calls: calls),
      FaultCause(
        "says nothing",
        kind("timeout-before-headers", forLong),
        .late,
        calls: 1,
        isSlow: true
      ),
      FaultCause(
        "stops in the middle",
        kind("timeout-after-headers", forLong),
        .late,
        calls: 1,
        isSlow: true,
        isCarriedOut: true
      ),
      FaultCause(
        "trickles",
        kind("slow-body", #","delayMilliseconds":1000"#),
        .late,
        calls: 1,
        isSlow: true,
        isCarriedOut: true
      ),
      FaultCause(
        "breaks off",
        kind("truncated-json"),
        .unavailable,
        calls: calls,
        isCarriedOut: true
      ),
    ]
  }

  /// Returns faults with status 200 and an unusable body.
  ///
  /// - Parameter calls: the expected number of requests if the client closes the connection.
  static func unreadable(calls: Int) -> [FaultCause] {
    [
      FaultCause(
        "five megabytes",
        status(200, #","body":"\#(String(repeating: " ", count: 5_000_000))""#),
        .unavailable,
        calls: calls
      ),
      FaultCause("empty 200", kind("empty"), .unavailable, calls: 1),
      FaultCause("malformed JSON", kind("malformed-json"), .unavailable, calls: 1),
      FaultCause("JSON of another type", status(200, #","body":"[true]""#), .unavailable, calls: 1),
    ]
  }
}
