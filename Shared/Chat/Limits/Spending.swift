import Core
import FirestoreClient
package import FirestoreModel
import FunctionRuntime
import Logging

/// Keeps what is paid for within the limits of users and days: asked before a provider is, told
/// after.
///
/// Counts are documents `limits/{key}`: of a user and a day, and of a day. They count in days and
/// minutes of UTC by the function's clock.
package struct Spending: Sendable {
  /// What is to be done where nothing can be counted.
  enum WithoutCount { case proceed, fail }

  /// The collection of the counts.
  static let collection = "limits"

  /// Whose limits they are: a translation's are translateMessage's, whoever asks for it.
  private let function: String
  /// Whose text or question it is; nil for nobody's.
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

  /// Asks whether providers may be asked for something, and counts it: one commit, none if there is
  /// nothing to count.
  ///
  /// - Parameter count: what is to be paid for, in answers.
  /// - Throws:
  ///   - `RESOURCE_EXHAUSTED` over a limit, with the time until it is another minute or day.
  ///   - `UNAVAILABLE` while the function is paused.
  ///   - what Firestore says, if nothing can be counted and nothing may go uncounted.
  func admit(_ count: Int = 1) async throws(StatusError) {
    let controls: FunctionControls
    let usage: Usage
    do throws(StatusError) {
      controls = try await readControls()
      usage = try await counted(count, controls)
    } catch {
      guard error.fault == .request, withoutCount == .proceed else { throw error }
      context.logger.warning("limits were not asked", metadata: ["error": "\(error.message)"])
      return
    }
    guard let error = refusal(usage, controls) else { return }
    // What isn't asked for isn't used up.
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
          "more than \(limit) a minute \(scope.words)",
          retryAfter: day.restOfMinute
        )
      }
      if let limit = limits.day, count.day > limit {
        return exceeded(scope, "more than \(limit) a day \(scope.words)", retryAfter: day.rest)
      }
    }
    if let cap = controls.dailyCostMicros, usage.costMicros >= cap {
      return exceeded(.everybody, "the day's budget is used up", retryAfter: day.rest)
    }
    return nil
  }

  /// Adds what a provider charged to the day's cost, if there is a cap on it. What is in flight when
  /// it is reached goes beyond.
  ///
  /// - Parameter micros: nil if nobody knows: that is only logged.
  func charge(_ micros: Int?) async {
    guard micros != 0 else { return }
    do throws(StatusError) {
      guard try await readControls().dailyCostMicros != nil else { return }
      guard let micros else {
        context.logger.warning("a cost has no price, and the day's cap doesn't know of it")
        return
      }
      let day = Day(context.sources.now())
      try await firestore.commit([
        try write(day.key(function), day, [increment("costMicros", by: Int64(clamping: micros))])
      ])
    } catch {
      context.logger.warning("a cost was not counted", metadata: ["error": "\(error.message)"])
    }
  }

  private func readControls() async throws(StatusError) -> FunctionControls {
    try await reader.controls(of: function, firestore, isFresh: context.isFresh)
  }

  // MARK: Counting

  /// What has been used up with what is asked for.
  private struct Usage {
    /// When it was counted.
    var counted: Day
    /// Of whom there are limits.
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
      throw StatusError(.unavailable, "Firestore's answer lacks a count")
    }
    return usage
  }

  /// Adds to what the user has had, or all users. All who are nobody are one user.
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

  /// The paths of all counts of a user that there may be at a time, for who must forget them.
  package static func paths(of uid: String, at time: Timestamp) -> [String] {
    let days = [time, time.advanced(by: .seconds(-Day.length))].map(Day.init)
    return days.flatMap { day in
      FunctionControls.limited.map { "\(collection)/\(day.key($0, uid: uid))" }
    }
  }
}

extension StatusError.Limit {
  /// The end of a refusal.
  fileprivate var words: String { self == .user ? "by one user" : "by all users" }
}

extension FunctionControls {
  fileprivate func limits(of scope: StatusError.Limit) -> (minute: Int64?, day: Int64?) {
    scope == .user ? (perUserPerMinute, perUserPerDay) : (perMinute, perDay)
  }
}

/// A day of UTC, and a minute of it.
private struct Day {
  static let length: Int64 = 86_400

  private let number: Int64
  private let second: Int64

  init(_ time: Timestamp) {
    // Seconds before 1970 are negative.
    second = ((time.seconds % Self.length) + Self.length) % Self.length
    number = (time.seconds - second) / Self.length
  }

  /// The key of the day's count, or of a user's. It ends with the user's id, which may have any
  /// character.
  func key(_ function: String, uid: String? = nil) -> String {
    let key = "\(function)_\(Timestamp(seconds: number * Self.length).description.prefix(10))"
    return uid.map { "\(key)_\($0)" } ?? key
  }

  /// The field that counts the minute.
  var minuteField: String { "minute\(second / 60)" }
  var restOfMinute: Duration { .seconds(60 - second % 60) }
  var rest: Duration { .seconds(Self.length - second) }
  /// When nobody needs the count any more, however far clocks are apart.
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
