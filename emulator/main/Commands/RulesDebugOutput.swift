import ServiceLifecycle

/// The values that rules give to `debug()`.
///
/// They are printed by a service, because a decision must not wait for the terminal.
struct RulesDebugOutput: Sendable {
  fileprivate let texts: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    // While the terminal waits, the oldest texts are lost.
    (texts, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
  }

  func append(_ text: String) { continuation.yield(text) }
}

/// The service that prints the values that rules give to `debug()`.
struct DebugOutputService: Service {
  let output: RulesDebugOutput
  let console: Console

  func run() async {
    await cancelWhenGracefulShutdown {
      for await text in output.texts { console.warn("debug: \(text.escapedForTerminal)") }
    }
  }
}
