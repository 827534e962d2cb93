import Core
import FirestoreModel
import FunctionHost
import TestKit
import Testing

private let call = #"{"text":"Thanks!","sourceLang":"en","targetLang":"it"}"#

/// The protocol of `--worker`: the worker reads one line for each event and writes one line for it.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct WorkerTests {
  private func worker() async throws -> WorkerSession {
    try await WorkerSession("translateMessage", environment: sharedEmulator().environment())
  }

  @Test func `every line gets one final line in order, even garbage`() async throws {
    let worker = try await worker()
    let lines = [
      "garbage", "[]", #"{"event":7}"#, call, #"{"event":\#(call)}"#,
      #"{"event":\#(call),"invocation":{"id":"i-1","attempt":2}}"#,
      #"{"event":{"text":"x"},"invocation":{"id":"i-2"}}"#,
    ]
    for line in lines { try await worker.send(line) }
    worker.process.closeInput()
    var results: [JSONValue] = []
    while let result = try await worker.nextResult() { results.append(result) }
    #expect(
      results.map { $0["exitCode"]?.integer } == [65, 65, 65, 0, 0, 0, 65]
    )
    #expect(
      results.map { $0["invocationId"]?.string } == [nil, nil, nil, nil, nil, "i-1", "i-2"]
    )
    #expect(results[4].at("result.translatedText") == .string("Grazie!"))
    #expect(await worker.process.exitStatus() == .exited(0))
  }

  @Test func `a last line without a line feed counts as a line`() async throws {
    let worker = try await worker()
    try await worker.process.write(call.utf8)
    worker.process.closeInput()
    #expect(try await worker.nextResult()?["status"] == .string("ok"))
    #expect(try await worker.nextResult() == nil)
    #expect(await worker.process.exitStatus() == .exited(0))
  }

  @Test func `a line over the limit gets one answer, and the next line its own`() async throws {
    let worker = try await worker()
    async let sending: Void = worker.send(String(repeating: "x", count: 11 << 20))
    let refused = try #require(try await worker.nextResult())
    try await sending
    #expect(refused["exitCode"] == .integer(65))
    #expect(refused.at("error.message")?.string?.contains("larger than 10 MiB") == true)
    try await worker.send(call)
    #expect(try await worker.nextResult()?["status"] == .string("ok"))
    #expect(await worker.end() == .exited(0))
  }

  @Test func `the end of stdin ends the worker`() async throws {
    let worker = try await worker()
    worker.process.closeInput()
    #expect(try await worker.nextResult() == nil)
    #expect(await worker.process.exitStatus() == .exited(0))
  }

  @Test func `SIGTERM ends a waiting worker`() async throws {
    let worker = try await worker()
    worker.process.signal(SIGTERM)
    #expect(await worker.process.exitStatus() == .exited(0))
    #expect(try await worker.nextResult() == nil)
  }

  @Test func `SIGTERM lets a worker finish the event in flight`() async throws {
    let listener = try SilentListener()
    let environment = try sharedEmulator().environment()
      .merging(["FIRESTORE_EMULATOR_HOST": "127.0.0.1:\(listener.port)"]) { $1 }
    let worker = try await WorkerSession("translateMessage", environment: environment)
    let deadline = Timestamp.now.advanced(by: .seconds(60)).description
    try await worker.send(
      #"{"event":\#(call),"invocation":{"id":"i-1","deadline":"\#(deadline)"}}"#
    )
    // The worker has connected, and gets no response, so the event stays in flight.
    let connection = try await listener.accept()
    worker.process.signal(SIGTERM)
    let result = try #require(try await worker.nextResult())
    #expect(result["invocationId"] == .string("i-1"))
    #expect(result["exitCode"] == .integer(75))
    #expect(await worker.process.exitStatus() == .exited(0))
    withExtendedLifetime(connection) {}
  }

  @Test func `a worker without configuration reports that for each event`() async throws {
    let worker = try await WorkerSession("translateMessage", environment: plainEnvironment)
    for _ in 0..<2 {
      try await worker.send(call)
      #expect(try await worker.nextResult()?["exitCode"] == .integer(78))
    }
    #expect(await worker.end() == .exited(0))
  }
}
