import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Store

/// The two journal records of a delivery, as JSON. The first contains the event and is written
/// once. The second contains the state and is written after each attempt.
extension Delivery {
  private static let prefix = "delivery/"
  private static let statePrefix = "deliveryState/"

  fileprivate struct Stored: Codable {
    var function: String
    var event: ChangeEvent
    var lineage: [Invoker]
    var recorded: Timestamp
  }

  fileprivate struct StoredState: Codable {
    var state: State
    var attempts: [StoredAttempt]
    var attemptCount: Int
    var pardoned: Int
    var retried: Timestamp?
    var kills: Int
    var nextAttempt: Timestamp?
  }

  fileprivate struct StoredAttempt: Codable {
    var number: Int
    var started: Timestamp
    var traceparent: String
    var microseconds: Int64?
    var result: StoredResult?
  }

  fileprivate struct StoredResult: Codable {
    var line: String
    var status: FunctionReply.Status
    var exitCode: Int32
    var code: StatusCode?
    var message: String?
    var isRetryable: Bool
  }

  /// The record of the delivery's event, or `nil` if the event can't be encoded. Such a delivery
  /// fails at its first attempt.
  var record: JournalRecord? {
    let stored = Stored(function: function, event: event, lineage: lineage, recorded: recorded)
    guard let content = try? JSON.encode(stored) else { return nil }
    return JournalRecord(key: Self.prefix + id, content: content)
  }

  /// The record of the delivery's state, or `nil` if the state can't be encoded.
  var stateRecord: JournalRecord? {
    let stored = StoredState(
      // A running attempt is repeated after a restart.
      state: state == .running ? .waiting : state,
      attempts: attempts.map(StoredAttempt.init),
      attemptCount: attemptCount,
      pardoned: attemptsBeforeRetry,
      retried: retried,
      kills: kills,
      nextAttempt: nextAttempt
    )
    guard let content = try? JSON.encode(stored) else { return nil }
    return JournalRecord(key: Self.statePrefix + id, content: content)
  }

  /// Returns the records that remove a delivery from a journal.
  static func removal(of id: String) -> [JournalRecord] {
    [prefix, statePrefix].map { JournalRecord(key: $0 + id, content: nil) }
  }

  /// Returns all deliveries of a journal, in the order in which they were recorded.
  ///
  /// - Throws: `DATA_LOSS` if a record can't be decoded.
  static func restored(from records: [String: Data]) throws(StatusError) -> [Delivery] {
    var deliveries: [Delivery] = []
    for (key, content) in records where key.hasPrefix(prefix) {
      let id = String(key.dropFirst(prefix.count))
      var delivery = try Delivery(id, content)
      if let state = records[statePrefix + id] { try delivery.take(state) }
      deliveries.append(delivery)
    }
    return deliveries.sorted { ($0.recorded, $0.id) < ($1.recorded, $1.id) }
  }

  private init(_ id: String, _ content: Data) throws(StatusError) {
    guard let stored = try? JSON.decode(Stored.self, from: content, what: id) else {
      throw Self.unreadable(id)
    }
    self.init(
      id: id,
      function: stored.function,
      event: stored.event,
      lineage: stored.lineage,
      recorded: stored.recorded
    )
  }

  private mutating func take(_ content: Data) throws(StatusError) {
    guard let stored = try? JSON.decode(StoredState.self, from: content, what: id) else {
      throw Self.unreadable(id)
    }
    state = stored.state
    attempts = stored.attempts.map(DeliveryAttempt.init)
    attemptCount = stored.attemptCount
    attemptsBeforeRetry = stored.pardoned
    retried = stored.retried
    kills = stored.kills
    nextAttempt = stored.nextAttempt
  }

  private static func unreadable(_ id: String) -> StatusError {
    StatusError(.dataLoss, "the record of delivery \(quoted(id)) in the data folder can't be read")
  }
}

extension Delivery.StoredAttempt {
  fileprivate init(_ attempt: DeliveryAttempt) {
    number = attempt.number
    started = attempt.started
    traceparent = attempt.traceparent
    microseconds = attempt.duration.map { Int64($0 / .microseconds(1)) }
    result = attempt.result.map(Delivery.StoredResult.init)
  }
}

extension Delivery.StoredResult {
  fileprivate init(_ result: InvocationResult) {
    line = String(decoding: result.line, as: UTF8.self)
    status = result.status
    exitCode = result.exitCode
    code = result.error?.code
    message = result.error?.message
    isRetryable = result.isRetryable
  }
}

extension DeliveryAttempt {
  fileprivate init(_ stored: Delivery.StoredAttempt) {
    self.init(number: stored.number, started: stored.started, traceparent: stored.traceparent)
    duration = stored.microseconds.map { .microseconds($0) }
    result = stored.result.map(InvocationResult.init)
  }
}

extension InvocationResult {
  fileprivate init(_ stored: Delivery.StoredResult) {
    let line = Data(stored.line.utf8)
    if !line.isEmpty, let result = try? InvocationResult(line: line) {
      self = result
      setExitCode(stored.exitCode)
      return
    }
    self.init(
      StatusError(stored.code ?? .unknown, stored.message ?? "the function failed"),
      exitCode: stored.exitCode,
      isRetryable: stored.isRetryable
    )
    status = stored.status
    if status != .error { error = nil }
  }
}
