package import Core
import FirestoreModel
import FunctionRuntime

/// The faults to inject into deliveries and into requests to providers.
///
/// The same seed gives the same faults: each decision about a delivery depends only on the seed,
/// the function, the document, the kind of change and the attempt. So two runs of the same writes
/// have the same faults.
package struct Chaos: Sendable, CustomStringConvertible {
  /// The text that the faults were parsed from.
  package let description: String
  package var seed: UInt64 = 1
  /// The probability that an attempt is made twice at the same time.
  package var duplicate = 0.0
  /// The probability that a function's process is killed at one of its first requests. A process
  /// that sends fewer requests isn't killed.
  package var crash = 0.0
  /// The probability that a request to a provider's fake gets a fault.
  package var provider = 0.0
  /// The range of delays before an attempt.
  package var delay = Duration.zero...Duration.zero

  /// The minimum difference between the shortest and the longest delay with `reorder`. It lets
  /// later events overtake earlier ones.
  private static let reordering = Duration.milliseconds(50)
  /// The maximum of `Crash.request`: a process is killed at one of its first ten requests.
  private static let maximumRequests: UInt64 = 10

  /// The faults of one attempt.
  struct Plan: Equatable {
    var delay = Duration.zero
    var isDuplicated = false
    /// The crash, or `nil` if no process is killed.
    var crash: Crash?

    /// Returns the crash that is scheduled for the attempt's process, or `nil` if there is none.
    ///
    /// - Parameter isOfDuplicate: Whether the process is the one that gets the event's duplicate.
    func scheduledCrash(ofDuplicate isOfDuplicate: Bool) -> ScheduledCrash? {
      guard let crash, crash.isOfDuplicate == isOfDuplicate else { return nil }
      return ScheduledCrash(atRequest: crash.request, crash.moment)
    }
  }

  /// A process to kill.
  struct Crash: Equatable {
    /// The number of the request at which the process is killed.
    var request: Int
    var moment: ScheduledCrash.Moment
    /// A Boolean value that indicates whether the duplicate's process is killed.
    var isOfDuplicate: Bool
  }

  /// Creates the faults from a text such as
  /// `seed=7,duplicate=0.2,reorder,delay=0..200ms,crash=0.05,provider=0.1`.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the part that can't be parsed.
  package init(_ text: String) throws(StatusError) {
    description = text
    var isReordered = false
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      switch (pair.first ?? "", pair.count > 1 ? pair[1] : nil) {
      case ("seed", let value?):
        guard let number = UInt64(value) else { throw Self.refusal(part) }
        seed = number
      case ("duplicate", let value?): duplicate = try Self.probability(value, part)
      case ("crash", let value?): crash = try Self.probability(value, part)
      case ("provider", let value?): provider = try Self.probability(value, part)
      case ("reorder", nil):
        isReordered = true
      case ("delay", let value?): delay = try Self.range(value, part)
      default: throw Self.refusal(part)
      }
    }
    if isReordered {
      delay = delay.lowerBound...max(delay.upperBound, delay.lowerBound + Self.reordering)
    }
  }

  private static func probability(
    _ text: String,
    _ part: Substring
  ) throws(StatusError) -> Double {
    guard let value = Double(text), (0...1).contains(value) else { throw refusal(part) }
    return value
  }

  /// Parses a range of delays: `50..200ms`, or `200ms` for a range from 0.
  private static func range(
    _ text: String,
    _ part: Substring
  ) throws(StatusError) -> ClosedRange<Duration> {
    guard text.hasSuffix("ms") else { throw refusal(part) }
    let bounds = text.dropLast(2).split(separator: "..", omittingEmptySubsequences: false)
      .map { Int64($0) }
    guard (1...2).contains(bounds.count), let upper = bounds[bounds.count - 1],
      let lower = bounds.count == 2 ? bounds[0] : 0, (0...upper).contains(lower)
    else { throw refusal(part) }
    return .milliseconds(lower) ... .milliseconds(upper)
  }

  private static func refusal(_ part: Substring) -> StatusError {
    StatusError(
      .invalidArgument,
      "chaos: \(quoted(String(part))) is not one of seed=N, duplicate=0…1, crash=0…1, "
        + "provider=0…1, reorder, delay=0..200ms"
    )
  }

  /// Returns a random number that chooses the fault of a request to a provider, or `nil` if the
  /// request gets none.
  ///
  /// - Parameter request: A text that identifies the request.
  package func providerFault(of request: String) -> UInt64? {
    var dice = Dice(seed: seed, request)
    return dice.chance() < provider ? dice.next() : nil
  }

  /// Returns the faults of a delivery's next attempt.
  func plan(for delivery: Delivery) -> Plan {
    var dice = Dice(
      seed: seed,
      "\(delivery.function) \(delivery.event.resource) \(delivery.event.change.rawValue) "
        + "\(delivery.attemptCount)"
    )
    var plan = Plan()
    plan.isDuplicated = dice.chance() < duplicate
    let crashes = dice.chance() < crash
    let request = Int(dice.next() % Self.maximumRequests) + 1
    let moment = dice.chance() < 0.5 ? ScheduledCrash.Moment.beforeRequest : .afterRequest
    let isOfDuplicate = dice.chance() < 0.5 && plan.isDuplicated
    if crashes {
      plan.crash = Crash(request: request, moment: moment, isOfDuplicate: isOfDuplicate)
    }
    plan.delay = delay.lowerBound + (delay.upperBound - delay.lowerBound) * dice.chance()
    return plan
  }
}

/// The random number generator SplitMix64, seeded with a number and a text.
private struct Dice {
  private var state: UInt64

  init(seed: UInt64, _ text: String) {
    // This is FNV-1a; Swift's own hash differs between processes.
    state = text.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    state ^= seed &* 0x9E37_79B9_7F4A_7C15
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a random number from 0 up to 1.
  mutating func chance() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }
}
