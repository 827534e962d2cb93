import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Store
import Testing

@testable import Delivery

/// Deliveries that are restored from the journal after the emulator has restarted.
@Suite(.timeLimit(.minutes(10)))
struct OutboxTests {
  private func store(_ dispatcher: Dispatcher, _ journal: RecordJournal) throws -> Store {
    let store = Store(journal: journal, observers: [dispatcher])
    try dispatcher.attach(to: store, records: journal.records)
    return store
  }

  @Test func `the journal has an event as soon as its commit`() async throws {
    let journal = RecordJournal()
    try await withTargets([(.notes("probe"), ScriptedTarget { _ in .ok })]) { dispatcher in
      let store = try store(dispatcher, journal)
      dispatcher.isPaused = true
      _ = try await store.commit([set("notes/a"), set("others/b")], in: database)
      #expect(
        try Delivery.restored(from: journal.records).map(\.event.path) == [
          "notes/a"
        ]
      )
      await store.close()
    }
  }

  @Test func `an undelivered event is delivered after a restart, with its attempts`() async throws {
    let journal = RecordJournal()
    let broken = ScriptedTarget { request in
      request.change?.document?.id == "good" ? .ok : .tryAgain
    }
    let policy = DeliveryRetryPolicy(
      firstDelay: .seconds(86_400),
      maximumDelay: .seconds(86_400),
      maximumAttempts: 5,
      window: nil,
      hasJitter: false
    )
    var before: [Delivery] = []
    try await withDispatcher([:], retryPolicy: policy) { dispatcher in
      try dispatcher.register(.notes("probe"), target: broken)
      let store = try store(dispatcher, journal)
      for id in ["good", "bad"] {
        _ = try await store.commit([set("notes/\(id)", ["n": 1, "d": .double(0.5)])], in: database)
      }
      while dispatcher.deliveries.contains(where: { !$0.isEnded && $0.nextAttempt == nil }) {
        await Task.yield()
      }
      before = dispatcher.deliveries
      // As after SIGKILL, only the journal's content is kept.
      await store.close()
    }
    let healed = ScriptedTarget { _ in .ok }
    // The clock is real and the delay is a day, so only the manual retry can run the second
    // attempt.
    try await withDispatcher([:], retryPolicy: policy) { dispatcher in
      let store = try store(dispatcher, journal)
      #expect(dispatcher.deliveries.map(\.state) == [.succeeded, .waiting])
      #expect(dispatcher.deliveries.map(\.event) == before.map(\.event))
      #expect(dispatcher.deliveries.map { $0.result?.exitCode } == [0, 75])
      #expect(dispatcher.deliveries.map { $0.result?.line } == before.map { $0.result?.line })
      // The delivery waits until its function is installed. `quiet` doesn't wait for it.
      await dispatcher.quiet()
      try dispatcher.register(.notes("probe"), target: healed)
      try dispatcher.retry(try #require(dispatcher.deliveries.last?.id))
      await dispatcher.quiet()
      #expect(dispatcher.deliveries.map(\.state) == [.succeeded, .succeeded])
      #expect(healed.invocations.map(\.attempt) == [2])
      await store.close()
    }
    #expect(try Delivery.restored(from: journal.records).map(\.state) == [.succeeded, .succeeded])
  }

  @Test func `the journal forgets the same deliveries as the memory`() async throws {
    let journal = RecordJournal()
    try await withDispatcher([:], maximumKept: 4) { dispatcher in
      try dispatcher.register(.notes("probe"), target: ScriptedTarget { _ in .ok })
      let store = try store(dispatcher, journal)
      for number in 0..<20 {
        _ = try await store.commit([set("notes/\(number)")], in: database)
        await dispatcher.quiet()
      }
      await store.close()
      let kept = dispatcher.deliveries.map(\.id)
      #expect(kept.count <= 4)
      #expect(try Delivery.restored(from: journal.records).map(\.id).sorted() == kept.sorted())
      #expect(journal.records.count == 2 * kept.count)
    }
  }

  @Test func `an event from outside is stored before its sender gets the answer`() async throws {
    let journal = RecordJournal()
    try await withTargets([(.notes("probe"), ScriptedTarget { _ in .ok })]) { dispatcher in
      let store = try store(dispatcher, journal)
      dispatcher.isPaused = true
      let ids = try await dispatcher.enqueue(creation())
      #expect(try Delivery.restored(from: journal.records).map(\.id) == ids)
      await store.close()
    }
  }

  @Test func `an unreadable record is named`() throws {
    let error = #expect(throws: StatusError.self) {
      try Delivery.restored(from: ["delivery/x": Data("{".utf8)])
    }
    #expect(error?.code == .dataLoss && error?.message.contains("\"x\"") == true)
  }

  @Test func `a delivery's end is stored even without another write`() async throws {
    let journal = RecordJournal()
    try await withTargets([(.notes("probe"), ScriptedTarget { _ in .ok })]) { dispatcher in
      let store = try store(dispatcher, journal)
      // The first commits run at the same time as deliveries end. An end that comes during a sync
      // must not wait for another commit.
      for number in 0..<50 { _ = try await store.commit([set("notes/\(number)")], in: database) }
      await dispatcher.quiet()
      // The journal writes in the background, so the test polls it.
      while try Delivery.restored(from: journal.records).contains(where: { !$0.isEnded }) {
        try await Task.sleep(for: .milliseconds(5))
      }
      await store.close()
    }
  }

  @Test func `an earlier emulator's dead letters are kept, and not counted as this one's`()
    async throws
  {
    let journal = RecordJournal()
    let broken = ScriptedTarget { _ in .tryAgain }
    try await withTargets([(.notes("probe"), broken)], retryPolicy: .once) { dispatcher in
      let store = try store(dispatcher, journal)
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      #expect(dispatcher.deadLetters.count == 1)
      await store.close()
    }
    try await withTargets([(.notes("probe"), broken)], retryPolicy: .once) { dispatcher in
      let store = try store(dispatcher, journal)
      #expect(dispatcher.deliveries.map(\.state) == [.deadLettered])
      #expect(dispatcher.deadLetterCount == 0 && dispatcher.deadLetters.isEmpty)
      try dispatcher.retry(try #require(dispatcher.deliveries.first?.id))
      await dispatcher.quiet()
      #expect(dispatcher.deadLetterCount == 1 && dispatcher.deadLetters.count == 1)
      await store.close()
    }
  }
}
