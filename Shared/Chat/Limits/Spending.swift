import Core
import FirestoreClient
package import FirestoreModel
import FunctionRuntime
import Logging

/// The limits on paid provider calls, per user and per day.
///
/// A function calls `admit` before a provider call and `charge` after it. The counts are documents
/// `limits/{key}`: one for each function, user and day, and one for each function and day. Days and
/// minutes are UTC by the function's clock.
package struct Spending: Sendable {
  /// The action to take if the counts can't be read or written.
  enum WithoutCount { case proceed, fail }

  /// The collection of the counts.
  static let collection = "limits"

  /// The function whose limits apply. A translation counts for translateMessage, whichever function
  /// requests it.
  private let function: String
  /// The user whose text or question causes the calls, or `nil` if there is none.
  private let uid: String?
  private let firestore: FirestoreClient
  private let reader: ControlsReader
  private let context: FunctionContext
  private let withoutCount: WithoutCount

  init(
    of function: String,
    by uid: String?,
    _ reader: ControlsReader,
    firestore: FirestoreClient,
    context: FunctionContext,
    withoutCount: WithoutCount
  ) {
    self.function = function
    self.uid = uid
    self.reader = reader
    self.firestore = firestore
    self.context = context
    self.withoutCount = withoutCount
  }

  /// Checks the limits for provider requests and counts the requests, in one commit.
  ///
  /// If no limit requires a count, there is no commit.
  ///
  /// - Parameter count: the number of provider responses to pay for.
  /// - Throws:
  ///   - `RESOURCE_EXHAUSTED` over a limit, with the time until the next minute or day.
  ///   - `UNAVAILABLE` while the function is paused.
  ///   - Firestore's error, if counting fails and `withoutCount` is `fail`.
  func admit(_ count: Int = 1) async throws(StatusError) {
    let controls: FunctionControls
    let usage: Usage
    do throws(StatusError) {
      controls = try await readControls()
      usage = try await counted(count, controls)
    } catch {
      guard error.fault == .request, withoutCount == .proceed else { throw error }
      context.logger.warning("limits not checked", metadata: ["error": "\(error.message)"])
      return
    }
    guard let error = refusal(usage, controls) else { return }
    // A refused request must not count.
    if !usage.counts.isEmpty {
      _ = try? await firestore.commit(
        usage.counts.keys.map { scope throws(StatusError) in
          try write(adding: -Int64(count), to: scope, usage.counted)
        }
      )
    }
    throw error
  }

  private func refusal(_ usage: Usage, _ controls: FunctionControls) -> StatusError? {
    if controls.isPaused { return .paused(function) }
    let day = usage.counted
    for (scope, count) in usage.counts.sorted(by: { $0.key.rawValue > $1.key.rawValue }) {
      let limits = controls.limits(of: scope)
      if let limit = limits.minute, count.minute > limit {
        return exceeded(
          scope,
          "too many requests \(scope.words): more than \(limit) a minute",
          retryAfter: day.restOfMinute
        )
      }
      if let limit = limits.day, count.day > limit {
        return exceeded(
          scope,
          "too many requests \(scope.words): more than \(limit) a day",
          retryAfter: day.rest
        )
      }
    }
    if let cap = controls.dailyCostMicros, usage.costMicros >= cap {
      return exceeded(.everybody, "the day's budget is used up", retryAfter: day.rest)
    }
    return nil
  }

  /// Adds a provider's charge to the day's cost, if the cost has a cap.
  ///
  /// Requests in flight when the cap is reached can exceed it.
  ///
  /// - Parameter micros: the charge in millionths of a US dollar, or `nil` if it is unknown. An
  ///   unknown charge is only logged.
  func charge(_ micros: Int?) async {
    guard micros != 0 else { return }
    do throws(StatusError) {
      guard try await readControls().dailyCostMicros != nil else { return }
      guard let micros else {
        context.logger.warning("cost unknown, not counted for the day's cap")
        return
      }
      let day = Day(context.sources.now())
      try await firestore.commit([
        try write(day.key(function), day, [increment("costMicros", by: Int64(clamping: micros))])
      ])
    } catch {
      context.logger.warning("cost not counted", metadata: ["error": "\(error.message)"])
    }
  }

  private func readControls() async throws(StatusError) -> FunctionControls {
    try await reader.controls(of: function, firestore, isFresh: context.isFresh)
  }

  // MARK: Counting

  /// The usage so far, including the provider calls that are to be admitted.
  private struct Usage {
    /// The day and minute of the count.
    var counted: Day
    /// The counts for each scope that has limits: the user, or all users.
    var counts: [StatusError.Limit: (minute: Int64, day: Int64)] = [:]
    var costMicros: Int64 = 0
  }

  private func counted(
    _ count: Int,
    _ controls: FunctionControls
  ) async throws(StatusError) -> Usage {
    var usage = Usage(counted: Day(context.sources.now()))
    guard !controls.isPaused else { return usage }
    if controls.dailyCostMicros != nil {
      let name = try firestore.name("\(Self.collection)/\(usage.counted.key(function))")
      usage.costMicros = try await firestore.document(name)?.fields["costMicros"]?.integerValue ?? 0
    }
    var writes: [(scope: StatusError.Limit, write: Write)] = []
    for scope in StatusError.Limit.allCases where controls.limits(of: scope) != (nil, nil) {
      writes.append((scope, try write(adding: Int64(count), to: scope, usage.counted)))
    }
    guard !writes.isEmpty else { return usage }
    let results = try await firestore.commit(writes.map(\.write)).writeResults ?? []
    for ((scope, _), result) in zip(writes, results) {
      let numbers = (result.transformResults ?? []).compactMap(\.integerValue)
      if numbers.count == 2 { usage.counts[scope] = (minute: numbers[1], day: numbers[0]) }
    }
    guard usage.counts.count == writes.count else {
      throw StatusError(.unavailable, "Firestore's response lacks a count")
    }
    return usage
  }

  /// Returns the write that adds to the count of the user or of all users.
  ///
  /// All requests without a user count as one user.
  private func write(
    adding amount: Int64,
    to scope: StatusError.Limit,
    _ day: Day
  ) throws(StatusError) -> Write {
    try write(
      scope == .user ? day.key(function, uid: uid ?? "") : day.key(function),
      day,
      [increment("total", by: amount), increment(day.minuteField, by: amount)]
    )
  }

  private func write(
    _ key: String,
    _ day: Day,
    _ transforms: [FieldTransform]
  ) throws(StatusError) -> Write {
    Write(
      .update(
        Document(
          name: try firestore.name("\(Self.collection)/\(key)"),
          fields: ["expiresAt": .timestamp(day.expiry)]
        )
      ),
      updateMask: FieldMask([FieldPath("expiresAt")]),
      updateTransforms: transforms
    )
  }

  private func increment(_ field: String, by amount: Int64) -> FieldTransform {
    FieldTransform(FieldPath(field), .increment(.integer(amount)))
  }

  private func exceeded(
    _ limit: StatusError.Limit,
    _ what: String,
    retryAfter: Duration
  ) -> StatusError {
    var error = StatusError(.resourceExhausted, "\(function): \(what)", retryAfter: retryAfter)
    error.limit = limit
    return error
  }

  /// Returns the paths of all counts that a user can have at a given time, so that they can be
  /// deleted.
  package static func paths(of uid: String, at time: Timestamp) -> [String] {
    let days = [time, time.advanced(by: .seconds(-Day.length))].map(Day.init)
    return days.flatMap { day in
      FunctionControls.limited.map { "\(collection)/\(day.key($0, uid: uid))" }
    }
  }
}

extension StatusError.Limit {
  /// The part of the error message that names the users.
  fileprivate var words: String { self == .user ? "by one user" : "by all users" }
}

extension FunctionControls {
  fileprivate func limits(of scope: StatusError.Limit) -> (minute: Int64?, day: Int64?) {
    scope == .user ? (perUserPerMinute, perUserPerDay) : (perMinute, perDay)
  }
}

/// A UTC day and a minute in it.
private struct Day {
  static let length: Int64 = 86_400

  private let number: Int64
  private let second: Int64

  init(_ time: Timestamp) {
    // Seconds before 1970 are negative.
    second = ((time.seconds % Self.length) + Self.length) % Self.length
    number = (time.seconds - second) / Self.length
  }

  /// Returns the key of the day's count, or of a user's count for the day.
  ///
  /// The key ends with the user's id, which can contain any character.
  func key(_ function: String, uid: String? = nil) -> String {
    let key = "\(function)_\(Timestamp(seconds: number * Self.length).description.prefix(10))"
    return uid.map { "\(key)_\($0)" } ?? key
  }

  /// The name of the field with the minute's count.
  var minuteField: String { "minute\(second / 60)" }
  var restOfMinute: Duration { .seconds(60 - second % 60) }
  var rest: Duration { .seconds(Self.length - second) }
  /// The time after which the count is obsolete, with a margin for clock skew.
  var expiry: Timestamp { Timestamp(seconds: (number + 2) * Self.length) }
}

extension StatusError {
  static func paused(_ function: String) -> StatusError {
    StatusError(
      .unavailable,
      "\(function) is paused by \(FunctionControls.path)",
      retryAfter: .seconds(30)
    )
  }
}
