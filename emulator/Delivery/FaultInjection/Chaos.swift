package import Core
import FirestoreModel
import FunctionRuntime

/// What goes wrong with deliveries and with requests to providers on purpose, the same for the same
/// seed.
///
/// Each decision about a delivery follows from the seed, the function, the document, the kind of
/// change and the attempt, not from what happened before: two runs of the same writes go wrong alike.
package struct Chaos: Sendable, CustomStringConvertible {
  /// As it was given.
  package let description: String
  package var seed: UInt64 = 1
  /// How likely an attempt is made twice, the two beside each other.
  package var duplicate = 0.0
  /// How likely one of a function's processes is killed at one of its first requests; one that asks
  /// less often lives.
  package var crash = 0.0
  /// The probability that a request to a provider's fake gets a fault.
  package var provider = 0.0
  /// Before an attempt.
  package var delay = Duration.zero...Duration.zero

  /// How far apart `reorder` draws delays at least: far enough for later events to be first.
  private static let reordering = Duration.milliseconds(50)
  /// At which of its requests a function crashes at the latest.
  private static let maximumRequests: UInt64 = 10

  /// What happens to one attempt.
  struct Plan: Equatable {
    var delay = Duration.zero
    var isDuplicated = false
    /// At which of the invocation's requests its process is killed, and when exactly.
    var crash: Crash?

    /// - Parameter isOfDuplicate: whether the invocation is the second of two at once.
    func scheduledCrash(ofDuplicate isOfDuplicate: Bool) -> ScheduledCrash? {
      guard let crash, crash.isOfDuplicate == isOfDuplicate else { return nil }
      return ScheduledCrash(atRequest: crash.request, crash.moment)
    }
  }

  struct Crash: Equatable {
    var request: Int
    var moment: ScheduledCrash.Moment
    /// Whether it is the second of two at once that is killed.
    var isOfDuplicate: Bool
  }

  /// Reads `seed=7,duplicate=0.2,reorder,delay=0..200ms,crash=0.05,provider=0.1`.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the part.
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

  /// `0..200ms`, or `200ms` for from 0.
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
      "chaos: \(quoted(String(part))) is none of seed=N, duplicate=0…1, crash=0…1, provider=0…1, reorder, delay=0..200ms"
    )
  }

  /// A number that chooses the fault of a request to a provider; nil if it gets none.
  ///
  /// - Parameter request: tells it from all others.
  package func providerFault(of request: String) -> UInt64? {
    var dice = Dice(seed: seed, request)
    return dice.chance() < provider ? dice.next() : nil
  }

  func plan(for delivery: Delivery) -> Plan {
    var dice = Dice(
      seed: seed,
      "\(delivery.function) \(delivery.event.document) \(delivery.event.change.rawValue) "
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

/// SplitMix64, begun from a seed and a text.
private struct Dice {
  private var state: UInt64

  init(seed: UInt64, _ text: String) {
    // FNV-1a: Swift's own hash is another in each process.
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

  /// From 0 up to 1.
  mutating func chance() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }
}
