import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Store
import Testing

@testable import Delivery

/// The bounded histories of calls, writes and deliveries.
@Suite(.timeLimit(.minutes(10)))
struct DeliveryHistoryTests {
  private let now = Timestamp(seconds: 1)

  private func providerCall(_ id: String, bytes: Int) -> ProviderCall {
    ProviderCall(
      invocation: id,
      traceparent: "t",
      provider: "openai",
      method: "POST",
      path: "/v1/chat/completions",
      started: now,
      duration: .zero,
      status: 200,
      request: .init(Data(repeating: 1, count: bytes)),
      response: .init(Data(repeating: 2, count: bytes))
    )
  }

  @Test func `a long body is kept with its beginning and end`() {
    var body = ProviderCall.Body()
    for _ in 0..<40 { body.append(Data(repeating: 1, count: 1_000)) }
    body.append(Data([2, 3]))
    #expect(body.count == 40_002 && !body.isWhole)
    #expect(body.bytes == Data(repeating: 1, count: 16 << 10))
    #expect(body.tail.count == 2 << 10 && body.tail.suffix(3) == Data([1, 2, 3]))
    let short = ProviderCall.Body(Data([1, 2, 3]))
    #expect(short.isWhole && short.bytes == Data([1, 2, 3]) && short.tail.isEmpty)
  }

  @Test func `the oldest provider calls are dropped when they take too much memory`() {
    let log = ProviderCallLog()
    for number in 0..<2_000 { log.add(providerCall("\(number)", bytes: 20_000)) }
    let kept = log.all
    #expect(kept.last?.invocation == "1999")
    #expect((100..<2_000).contains(kept.count))
    #expect(kept.reduce(0) { $0 + $1.bytes } <= 24 << 20)
  }

  @Test func `the oldest function calls are dropped when they take too much memory`() throws {
    let log = CallLog(feed: ActivityFeed())
    let line = Data(#"{"status":"ok","result":"\#(String(repeating: "x", count: 50_000))"}"#.utf8)
    let result = try InvocationResult(line: line)
    for number in 0..<500 {
      let call = FunctionCall(
        id: "\(number)",
        function: "f",
        event: Data(count: 1_000),
        started: now
      )
      log.begin(call)
      log.end(call.id, result, at: now.advanced(by: .milliseconds(3)))
    }
    #expect(log["0"] == nil && log["499"]?.duration == .milliseconds(3))
    #expect((100..<200).contains(log.all.count))
    #expect(log.all.last?.result?.line == line)
  }

  @Test func `a write's documents are forgotten before the write itself`() async throws {
    try await withTargets([(.notes("idle"), ScriptedTarget { _ in .ok })]) { dispatcher in
      let store = Store(observers: [dispatcher])
      let text = Value.string(String(repeating: "x", count: 1_000_000))
      for number in 0..<40 {
        _ = try await store.commit([set("notes/\(number)", ["text": text])], in: database)
      }
      await dispatcher.quiet()
      let entries = dispatcher.writes.entries
      #expect(entries.count == 40)
      let kept = entries.compactMap(\.change)
      #expect(entries.first?.change == nil && (25..<40).contains(kept.count))
      #expect(kept.last?.after?.fields["text"] == text)
    }
  }

  @Test func `a replay is a new delivery of the same event, if its function exists`() async throws {
    let target = ScriptedTarget { _ in .ok }
    try await withTargets([(.notes("probe"), target)]) { dispatcher in
      let first = try await dispatcher.delivered(creation())
      let again = try await dispatcher.redeliver(first.id)
      await dispatcher.quiet()
      #expect(again.id != first.id && again.event == first.event)
      #expect(dispatcher.delivery(again.id)?.state == .succeeded)
      #expect(target.invocations.map(\.id) == [first.id, again.id])
      await #expect(throws: StatusError.self) { try await dispatcher.redeliver("nobody") }
      dispatcher.unregister("probe")
      await #expect(throws: StatusError.self) { try await dispatcher.redeliver(first.id) }
    }
  }
}
