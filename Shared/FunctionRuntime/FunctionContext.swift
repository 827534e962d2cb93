package import Core
package import FirestoreModel
package import Logging
import Synchronization

/// The context of one invocation: its IDs, deadline and logger, and the sources of time and random
/// numbers.
package struct FunctionContext: Sendable {
  /// The function's name in its manifest.
  package let function: String
  /// The event's ID; for a call, the invocation's ID.
  package var eventID: String
  package var invocationID: String
  /// The number of the attempt; 1 for the first delivery.
  package var attempt: Int
  /// The time by which the invocation must have a result.
  package var deadline: ContinuousClock.Instant
  /// The W3C trace context. It is sent with every request, so that a write can be traced to this
  /// invocation.
  package var traceparent: String
  package var sources: Sources
  package var logger: Logger
  /// A Boolean value that indicates whether the function must not use caches of earlier
  /// invocations, so that a recording of this invocation is complete.
  package var isFresh = false
  package let record = InvocationRecord()
  /// A closure that publishes a partial result, which replaces the one before it. It is `nil` if
  /// partial results aren't wanted.
  package var onPartial: PartialHandler?

  package typealias PartialHandler = @Sendable (any Encodable & Sendable) -> Void

  /// The sources of time and random numbers. A replay passes fixed ones, so that its result is the
  /// same as the recorded one.
  package struct Sources: Sendable {
    package var now: @Sendable () -> Timestamp
    package var random: @Sendable () -> UInt64

    package init(
      now: @escaping @Sendable () -> Timestamp,
      random: @escaping @Sendable () -> UInt64
    ) {
      self.now = now
      self.random = random
    }

    /// The system's clock and random number generator.
    package static let system = Sources(
      now: { .now },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      }
    )

    /// Returns a clock that always shows the same time, and random numbers derived from `seed`, so
    /// that an event has the same result each time.
    package static func fixed(at time: Timestamp, seed: String) -> Sources {
      // Use FNV-1a, because Swift's own hashes differ between processes.
      let start: UInt64 = seed.utf8.reduce(0xCBF2_9CE4_8422_2325) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      let state = Mutex(start)
      return Sources(
        now: { time },
        random: {
          // SplitMix64.
          state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var number: UInt64 = state
            number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
            return number ^ (number >> 31)
          }
        }
      )
    }

    /// Returns twenty characters of [A-Za-z0-9], like document IDs of Firestore's SDKs.
    package func newID() -> String {
      var id: [UInt8] = []
      id.reserveCapacity(20)
      // Ten of 62 characters need 60 of the number's 64 bits, so the bias is negligible.
      for _ in 0..<2 {
        var number = random()
        for _ in 0..<10 {
          id.append(Self.alphabet[Int(number % UInt64(Self.alphabet.count))])
          number /= UInt64(Self.alphabet.count)
        }
      }
      return String(decoding: id, as: UTF8.self)
    }

    private static let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8
    )

    /// Returns a new W3C trace context in the trace of `parent`, or in a new trace if `parent` is
    /// `nil` or invalid.
    package func newTraceparent(in parent: String? = nil) -> String {
      let trace = parent.flatMap(Self.traceID) ?? hexadecimal(random()) + hexadecimal(random())
      return "00-\(trace)-\(hexadecimal(random()))-01"
    }

    /// Returns the trace ID of a W3C trace context, or `nil` if it is invalid.
    ///
    /// In a valid trace context, all digits are lower-case hexadecimal, and neither ID consists of
    /// zeros only. Source: w3.org/TR/trace-context, section 3.2.
    package static func traceID(of traceparent: String) -> String? {
      var traceparent = traceparent
      return traceparent.withUTF8 { bytes in
        let trace = 3..<35
        let span = 36..<52
        let zero = UInt8(ascii: "0")
        guard bytes.count == 55,
          bytes.indices.allSatisfy({ index in
            switch index {
            case 2, 35, 52: bytes[index] == UInt8(ascii: "-")
            default: isLowerCaseHexadecimal(bytes[index])
            }
          }),
          bytes[trace].contains(where: { $0 != zero }), bytes[span].contains(where: { $0 != zero })
        else { return nil }
        return String(decoding: bytes[trace], as: UTF8.self)
      }
    }

    private static func isLowerCaseHexadecimal(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
      default: false
      }
    }

    private func hexadecimal(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  package init(
    function: String,
    eventID: String,
    invocationID: String,
    attempt: Int,
    deadline: ContinuousClock.Instant,
    traceparent: String,
    sources: Sources,
    logger: Logger
  ) {
    self.function = function
    self.eventID = eventID
    self.invocationID = invocationID
    self.attempt = attempt
    self.deadline = deadline
    self.traceparent = traceparent
    self.sources = sources
    self.logger = logger
  }
}

/// The metadata that the dispatcher passes with a delivery.
///
/// A worker reads it from the field `invocation` of its input line. A process that handles a single
/// event reads it from the variables INVOCATION_ID, INVOCATION_ATTEMPT, INVOCATION_DEADLINE,
/// INVOCATION_TIME and TRACEPARENT.
package struct Invocation: Sendable, Hashable, Codable {
  package var id: String?
  package var attempt: Int?
  package var deadline: Timestamp?
  package var traceparent: String?
  /// The fixed time of the function's clock in a replay, or `nil` if this isn't a replay. In a
  /// replay `deadline` is relative to this time, and random numbers are derived from `id`.
  package var time: Timestamp?
  /// A Boolean value that indicates whether a worker prints partial results.
  package var streaming: Bool?
  /// A Boolean value that indicates whether a worker must not use caches of earlier invocations.
  package var fresh: Bool?

  package init(
    id: String? = nil,
    attempt: Int? = nil,
    deadline: Timestamp? = nil,
    traceparent: String? = nil,
    time: Timestamp? = nil,
    streaming: Bool? = nil,
    fresh: Bool? = nil
  ) {
    self.id = id
    self.attempt = attempt
    self.deadline = deadline
    self.traceparent = traceparent
    self.time = time
    self.streaming = streaming
    self.fresh = fresh
  }

  /// Creates the metadata from environment variables.
  ///
  /// - Throws: An error with exit code 78 that names the variable, if a variable is invalid.
  package init(_ configuration: Configuration) throws(StatusError) {
    id = configuration["INVOCATION_ID"]
    traceparent = configuration["TRACEPARENT"]
    if let text = configuration["INVOCATION_ATTEMPT"] {
      guard let number = Int(text), number > 0 else {
        throw .configuration(.invalidArgument, "INVOCATION_ATTEMPT is not a positive number")
      }
      attempt = number
    }
    deadline = try configuration.time("INVOCATION_DEADLINE")
    time = try configuration.time("INVOCATION_TIME")
  }
}

extension Configuration {
  fileprivate func time(_ name: String) throws(StatusError) -> Timestamp? {
    guard let text = self[name] else { return nil }
    guard let time = try? Timestamp(text) else {
      throw .configuration(.invalidArgument, "\(name) is not an RFC 3339 time")
    }
    return time
  }
}
