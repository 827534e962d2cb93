import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Logging
import Store
import Synchronization

@testable import Delivery

/// A function that answers with a closure of the test.
final class ScriptedTarget: FunctionTarget {
  typealias Answer = @Sendable (InvocationRequest) async -> InvocationResult

  private let answer: Answer
  private let takesEvents: Bool
  private let taken = Mutex<[Invocation]>([])

  /// - Parameter takesEvents: whether the function can be started.
  init(takesEvents: Bool = true, _ answer: @escaping Answer) {
    self.answer = answer
    self.takesEvents = takesEvents
  }

  /// The invocations in order.
  var invocations: [Invocation] { taken.withLock(\.self) }

  func invoke(
    eventID: String,
    request: @Sendable (_ timeout: Duration) -> InvocationRequest?
  ) async -> InvocationResult {
    guard takesEvents else {
      return InvocationResult(StatusError(.internal, "can't be started"), exitCode: 70)
    }
    guard let request = request(.seconds(60)) else { return .cancelled }
    taken.withLock { $0.append(request.invocation) }
    return await answer(request)
  }

  func close() async {}
}

extension InvocationResult {
  /// The result of a successful function.
  static let ok = InvocationResult.said(#"{"status":"ok","exitCode":0,"result":{"n":1}}"#)
  /// The result of a function that asks for a retry.
  static let tryAgain = InvocationResult.said(
    #"{"status":"error","exitCode":75,"error":{"code":"UNAVAILABLE","message":"down"}}"#
  )

  static func said(_ line: String) -> InvocationResult {
    do throws(StatusError) {
      return try InvocationResult(line: Data(line.utf8))
    } catch {
      return InvocationResult(error, exitCode: 70)
    }
  }
}

extension FunctionManifest {
  /// Returns a manifest with a trigger on notes.
  static func notes(
    _ name: String,
    on type: EventType.Kind = .written,
    writes: [String] = [],
    retry: Bool = true
  ) -> FunctionManifest {
    FunctionManifest(
      name: name,
      triggers: [.init(eventType: EventType(type), document: "notes/{id}")],
      writes: writes,
      retry: retry
    )
  }
}

/// A clock for retries. Its sleep returns at once and advances the time by the requested duration.
final class SteppedClock: Sendable {
  private let time = Mutex(Timestamp(seconds: 1_000))

  var now: Timestamp { time.withLock(\.self) }

  var sources: FunctionContext.Sources {
    FunctionContext.Sources(now: { self.now }, random: FunctionContext.Sources.system.random)
  }

  var retryClock: RetryClock {
    RetryClock { duration in self.time.withLock { $0 = $0.advanced(by: duration) } }
  }
}

/// Runs `body` with a dispatcher that has these functions.
func withTargets(
  _ targets: [(FunctionManifest, ScriptedTarget)],
  retryPolicy: DeliveryRetryPolicy = .local,
  clock: SteppedClock = SteppedClock(),
  chaos: Chaos? = nil,
  prepare: (Dispatcher) throws -> Void = { _ in },
  _ body: (Dispatcher) async throws -> Void
) async throws {
  let dispatcher = Dispatcher(
    isolation: .worker,
    retryPolicy: retryPolicy,
    clock: clock.retryClock,
    chaos: chaos,
    sources: clock.sources,
    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  )
  try prepare(dispatcher)
  for (manifest, target) in targets { try dispatcher.register(manifest, target: target) }
  async let running: Void = dispatcher.run()
  let result: Result<Void, any Error>
  do {
    result = .success(try await body(dispatcher))
  } catch {
    result = .failure(error)
  }
  dispatcher.finish()
  await running
  try result.get()
}

/// A journal that keeps only records, in memory.
final class RecordJournal: Journal {
  private let kept = Mutex<[String: Data]>([:])

  var records: [String: Data] { kept.withLock(\.self) }

  func append(_ entries: [JournalEntry]) {
    kept.withLock { kept in
      for case .record(let record) in entries { kept[record.key] = record.content }
    }
  }

  func tidy(isIdle: Bool) -> Bool { false }

  func close() {}
}

let database = DatabaseName(project: "demo-p")

/// Returns a write that sets a document in the test's database.
func set(_ path: String, _ fields: Fields = [:]) throws -> Write {
  let name = try DocumentName(database: database, path: ResourcePath(path))
  return Write(.update(Document(name: name, fields: fields)))
}
