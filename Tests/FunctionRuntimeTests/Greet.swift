import Core
import FirestoreModel
import FunctionRuntime
import Logging
import Synchronization

/// The data of a call.
struct Greeting: Decodable, Sendable {
  var name: String
}

/// A function that does what the name in the call says.
struct Greet: Function {
  struct Unexpected: Error, CustomStringConvertible {
    var description: String { Greet.marker }
  }

  /// A user's text, which must not be in any message.
  static let marker = "TOP-SECRET-TEXT"

  init(configuration: Configuration) throws {
    _ = try configuration.require("GREET_KEY")
    if configuration["GREET_KEY"] == "broken" { throw Unexpected() }
  }

  static func manifest(_ configuration: Configuration) throws -> FunctionManifest {
    FunctionManifest(
      name: "greet",
      triggers: [.init(eventType: EventType(.created), document: "a/{id}")],
      callable: configuration["GREET_CALLABLE"] != "no",
      timeoutSeconds: 7
    )
  }

  func handle(_ event: TriggeredEvent, context: FunctionContext) async throws -> FunctionOutcome {
    .done(event.captures)
  }

  func handle(
    _ call: Greeting,
    caller: Caller?,
    context: FunctionContext
  ) async throws -> FunctionOutcome {
    if let code = StatusCode(rawValue: call.name) { throw StatusError(code, "as asked") }
    switch call.name {
    case "unexpected": throw Unexpected()
    case "cancelled": throw CancellationError()
    case "refused": throw StatusError(.failedPrecondition, Greet.marker, isOthersWords: true)
    case "partial":
      context.record.record(writes: [.init(document: "a/1", operation: .set)])
      context.record.record { $0.providerCalls += 1 }
      context.record.record(.push, after: .seconds(1))
      throw StatusError(.unavailable, "half done", retryAfter: .seconds(2))
    case "stream":
      context.onPartial?(["so": "far"])
      context.onPartial?(["so": "good"])
      return .done(["told": context.onPartial != nil])
    case "skip":
      context.record.record(.read, after: .seconds(1))
      return .skipped(reason: "as asked")
    case "context":
      return .done(
        [
          "attempt": "\(context.attempt)", "eventID": context.eventID,
          "invocationID": context.invocationID, "now": "\(context.sources.now())",
          "traceparent": context.traceparent, "newID": context.sources.newID(),
        ]
      )
    case "deadline": return .done((context.deadline - .now) / .seconds(1))
    default: return .done(["greeting": "Hello \(call.name)", "caller": caller?.uid ?? ""])
    }
  }
}

extension FunctionRunner<Greet> {
  /// Returns a runner with a fixed time, whose random numbers are 1, 2, 3 and so on.
  static func forTests(_ environment: [String: String] = ["GREET_KEY": "k"]) throws -> Self {
    let counter = Counter()
    return try FunctionRunner(
      configuration: Configuration(environment: environment),
      sources: .init(
        now: { Timestamp(seconds: 1_700_000_000, nanoseconds: 5_000) },
        random: { counter.next() }
      ),
      logger: Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
    )
  }

  func reply(_ text: String, _ invocation: Invocation = Invocation()) async -> FunctionReply {
    await reply(to: Data(text.utf8), invocation: invocation)
  }

  func call(_ name: String, _ invocation: Invocation = Invocation()) async -> FunctionReply {
    await reply(#"{"name":"\#(name)"}"#, invocation)
  }
}

extension FunctionReply {
  /// The result as JSON text.
  var resultText: String? {
    result.flatMap { try? JSON.encode($0) }.map { String(decoding: $0, as: UTF8.self) }
  }
}

private final class Counter: Sendable {
  private let value = Mutex<UInt64>(0)
  func next() -> UInt64 {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
