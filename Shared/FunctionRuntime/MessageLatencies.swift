package import Core

/// The times from a message's creation to the steps of its way to its readers.
///
/// The creation is the time that the server wrote to the message's `timestamp`.
package struct MessageLatencies: Sendable, Hashable {
  package enum Step: String, CaseIterable, Sendable {
    /// The message's translations are written.
    case translation
    /// FCM accepts the last of the message's pushes.
    case push
    /// A reader's receipt is written.
    case read
    /// A reader opens the message's push.
    case open

    fileprivate var member: String { "\(rawValue)Ms" }
  }

  package private(set) var durations: [Step: Duration] = [:]

  package init() {}

  package var isEmpty: Bool { durations.isEmpty }

  /// Notes the time until a step. Of several times the longest one counts.
  ///
  /// - Parameter duration: the time. A negative one counts as zero: then a clock is wrong.
  package mutating func note(_ step: Step, after duration: Duration) {
    durations[step] = max(durations[step] ?? .zero, duration)
  }
}

extension MessageLatencies {
  /// The longest time in milliseconds that is read from JSON: 10,000 years, Firestore's range.
  private static let maximumMilliseconds = 10_000 * 366 * 86_400_000.0

  /// Creates the times from the field of a result line. Members that aren't times are ignored.
  package init(_ json: JSONValue?) {
    for step in Step.allCases {
      guard let milliseconds = try? json?[step.member]?.asDouble(),
        (0...Self.maximumMilliseconds).contains(milliseconds)
      else { continue }
      note(step, after: .milliseconds(milliseconds))
    }
  }

  /// The field of a result line: milliseconds by step, as in `pushMs`.
  package var json: JSONValue {
    var members: JSONObject = [:]
    for (step, duration) in durations {
      members[ByteKey(step.member)] = .number(FunctionReply.milliseconds(duration))
    }
    return .object(members)
  }
}
