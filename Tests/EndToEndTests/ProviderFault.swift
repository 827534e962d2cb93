import Testing

/// One row of the table of faults: what goes wrong at a provider, for which function, and what has
/// to come of it. `Functions/FAULTS.md` is the same table for people.
struct ProviderFault: Sendable, CustomTestStringConvertible {
  /// What people see of it until the event is delivered again.
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
    /// Ends when the provider's time for one answer is up.
    case budget
    /// Ends when the invocation's time is up.
    case deadline
  }

  var provider: String
  /// In the words of the table.
  var title: String
  /// Of `POST /providers/faults`, beside `provider` and `times`.
  var members: String
  var function: String
  /// How often it happens: mostly for as long as anybody asks.
  var times = 99
  var exitCode: Int32
  /// nil for success.
  var code: String?
  /// How often the provider is asked by the one invocation.
  var calls: Int
  var sight: Sight
  /// In milliseconds, what the dispatcher is told.
  var retryAfter: Int?
  var pace = Pace.quick
  /// Whether the provider did what it was asked and only its answer was lost: then it is done, and
  /// billed, again.
  var isCarriedOut = false

  var testDescription: String { "\(provider), \(title): \(function)" }

  /// As `POST /providers/faults` takes it.
  var form: String { #"{"provider":"\#(provider)","times":\#(times),\#(members)}"# }

  /// As the table for people has it.
  var line: String {
    let outcome = code.map { "`\($0)`" } ?? "ok"
    let wait = retryAfter.map { ", after \($0 / 1000) s" } ?? ""
    return "| \(title) | \(function) | \(exitCode) \(outcome)\(wait) | \(calls) "
      + "| \(sight.rawValue) |"
  }
}

/// What a provider does, before any function has met it.
struct FaultCause: Sendable {
  /// The end of an invocation: the process's exit code, and the error's.
  struct End: Sendable {
    var exitCode: Int32
    /// nil for success.
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

  /// A status, with what else the fault has.
  static func status(_ status: Int, _ members: String = "") -> String {
    #""kind":"status","status":\#(status)\#(members)"#
  }

  static func kind(_ kind: String, _ members: String = "") -> String {
    #""kind":"\#(kind)"\#(members)"#
  }

  static let retryAfterMinute = #","headers":{"Retry-After":"60"}"#
  /// Longer than anybody waits here.
  static let forLong = #","delayMilliseconds":30000"#

  /// What may pass and leaves no answer that could be read, whoever the provider is.
  ///
  /// - Parameter calls: how often it is tried.
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

  /// A 200 that says nothing.
  ///
  /// - Parameter calls: how often it is tried where the connection was ended.
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
