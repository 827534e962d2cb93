import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Store
import Synchronization
import Testing

@testable import Delivery

/// Functions that trigger themselves with writes that have no trace context.
@Suite(.timeLimit(.minutes(10)))
struct LoopGuardTests {
  /// Runs `body` with a store and with a function that makes one write for each event of a note.
  ///
  /// The emulator knows which function wrote, because the write arrives at the function's port. But
  /// the write has no trace context.
  private func withUntracedWriter(
    _ write: @escaping @Sendable (ChangeEvent) -> String?,
    _ body: (Dispatcher, Store) async throws -> Void
  ) async throws {
    let holder = Mutex<Store?>(nil)
    let counter = Atomic(0)
    let target = ScriptedTarget { [database] request in
      let number = counter.add(1, ordering: .relaxed).newValue
      guard let path = request.change.flatMap(write),
        let writes = try? [set(path, ["n": .integer(Int64(number))])]
      else { return .ok }
      let store = holder.withLock(\.self)
      _ = try? await store?.commit(writes, in: database, cause: CommitCause(function: "writer"))
      return .ok
    }
    try await withTargets([(.notes("writer"), target)]) { dispatcher in
      let store = Store(observers: [dispatcher])
      holder.withLock { $0 = store }
      defer { holder.withLock { $0 = nil } }
      try await body(dispatcher, store)
    }
  }

  private func expectLoop(_ dispatcher: Dispatcher) throws {
    let last = try #require(dispatcher.deliveries.last)
    #expect(last.state == .deadLettered && last.attemptCount == 0)
    #expect(dispatcher.deadLetterCount == 1)
    let message = try #require(last.result?.error?.message)
    #expect(message.contains("chain of more than 16 functions: writer → writer"))
    #expect(message.contains("writer wrote without the traceparent of the invocation: send it"))
  }

  @Test(arguments: ["notes/a", "notes/another"])
  func `a function that triggers itself without a trace context is stopped with advice`(
    path: String
  ) async throws {
    try await withUntracedWriter({ _ in path }) { dispatcher, store in
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      try expectLoop(dispatcher)
      // Invocations of the function may overlap. A write is then attributed to the earlier of them,
      // and the loop is detected later.
      let shortest = LoopGuard.maximumDepth + 2
      #expect((shortest...2 * shortest).contains(dispatcher.deliveries.count))
      // The dispatcher also records the function as the author of the write.
      let name = try DocumentName(database: database, path: ResourcePath(path))
      #expect(dispatcher.writes.lastWrite(to: name, nil)?.invoker?.function == "writer")
    }
  }

  @Test func `a function that triggers itself after its answers is stopped, too`() async throws {
    try await withUntracedWriter({ _ in nil }) { dispatcher, store in
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      for number in 0...LoopGuard.maximumDepth {
        _ = try await store.commit(
          [set("notes/a", ["n": .integer(Int64(number))])],
          in: database,
          cause: CommitCause(function: "writer")
        )
        await dispatcher.quiet()
      }
      try expectLoop(dispatcher)
      #expect(dispatcher.deliveries.count == LoopGuard.maximumDepth + 2)
    }
  }

  @Test func `an unknown trace context counts as none`() async throws {
    try await withUntracedWriter({ _ in nil }) { dispatcher, store in
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      let unknown = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01"
      let cause = CommitCause(traceparent: unknown, function: "writer")
      _ = try await store.commit([set("notes/b")], in: database, cause: cause)
      await dispatcher.quiet()
      #expect(dispatcher.deliveries.last?.lineage.map(\.isPresumed) == [true])
    }
  }

  @Test func `a client may write a document as often as it likes`() async throws {
    // The function answers each write of the client with a write to another note. That write
    // triggers the function once more.
    try await withUntracedWriter({ $0.document?.id == "a" ? "notes/b" : nil }) {
      dispatcher,
      store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...1_000 {
          group.addTask {
            _ = try await store.commit(
              [set("notes/a", ["n": .integer(Int64(number))])],
              in: database
            )
          }
        }
        try await group.waitForAll()
      }
      await dispatcher.quiet()
      #expect(dispatcher.deliveries.count == 2_000)
      #expect(dispatcher.deadLetterCount == 0)
    }
  }

  @Test func `the running invocation with the shortest chain counts as the writer`() throws {
    func step(_ id: String) throws -> Invoker {
      let name = try DocumentName(database: database, path: ResourcePath("notes/\(id)"))
      return Invoker(function: "f", invocation: id, resource: name.description)
    }
    func writer(_ running: RunningInvocations, of id: String = "") throws -> [String]? {
      let names = try id.isEmpty ? [] : [step(id).resource].compactMap(\.self)
      return running.presumedWriter("f", of: Set(names))?.invokers.map(\.invocation)
    }
    var running = RunningInvocations()
    #expect(try writer(running) == nil)
    running.begin("t1", of: [try step("x"), try step("y")])
    #expect(try writer(running) == ["x", "y"])
    running.begin("t2", of: [try step("a")])
    running.begin("t3", of: [try step("b")])
    #expect(try writer(running, of: "y") == ["a"])
    #expect(try writer(running, of: "b") == ["b"])
    for trace in ["t2", "t3"] { running.end(trace, of: "f") }
    #expect(try writer(running, of: "b") == ["x", "y"])
    running.end("t1", of: "f")
    running.end("t1", of: "f")
    #expect(try writer(running) == ["x", "y"])
    #expect(running.presumedWriter("g", of: []) == nil)
  }

  @Test func `a delivery whose trigger was removed can't be replayed`() async throws {
    try await withTargets([]) { dispatcher in
      let store = Store(observers: [dispatcher])
      let target = ScriptedTarget { _ in .ok }
      try dispatcher.register(.notes("reader", on: .created), target: target)
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      let id = try #require(dispatcher.deliveries.first?.id)
      _ = try await dispatcher.redeliver(id)
      await dispatcher.quiet()
      try dispatcher.register(.notes("reader", on: .deleted), target: target)
      let error = await #expect(throws: (any Error).self) { try await dispatcher.redeliver(id) }
      #expect("\(try #require(error))".contains("reader does not handle created documents"))
      #expect(target.invocations.count == 2)
    }
  }
}
