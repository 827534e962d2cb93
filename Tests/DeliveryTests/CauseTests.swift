import Core
import FirestoreModel
import FunctionHost
import FunctionRuntime
import Store
import Synchronization
import Testing

@testable import Delivery

/// The invocations that lead to a change, and functions that trigger each other in a loop.
@Suite(.timeLimit(.minutes(10)))
struct CauseTests {
  /// Runs `body` with a store and with functions that write one document for each event of a note.
  private func withWriters(
    _ writers: [String: @Sendable (ChangeEvent) -> String?],
    _ body: (Dispatcher, Store) async throws -> Void
  ) async throws {
    let holder = Mutex<Store?>(nil)
    let counter = Atomic(0)
    let targets = writers.sorted { $0.key < $1.key }.map { name, write in
      let target = ScriptedTarget { [database] request in
        guard let event = request.change, let path = write(event) else { return .ok }
        let number = counter.add(1, ordering: .relaxed).newValue
        let cause = CommitCause(traceparent: request.invocation.traceparent)
        let store = holder.withLock(\.self)
        guard let writes = try? [set(path, ["n": .integer(Int64(number))])] else { return .ok }
        _ = try? await store?.commit(writes, in: database, cause: cause)
        return .ok
      }
      return (FunctionManifest.notes(name), target)
    }
    try await withTargets(targets) { dispatcher in
      let store = Store(observers: [dispatcher])
      holder.withLock { $0 = store }
      defer { holder.withLock { $0 = nil } }
      try await body(dispatcher, store)
    }
  }

  @Test func `a change knows the functions that led to it`() async throws {
    try await withWriters([
      "first": { $0.document?.id == "a" ? "notes/b" : nil },
      "second": { $0.document?.id == "b" ? "notes/c" : nil },
    ]) { dispatcher, store in
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      let deliveries = dispatcher.deliveries
      func delivery(_ function: String, _ id: String) throws -> Delivery {
        try #require(deliveries.first { $0.function == function && $0.event.document?.id == id })
      }
      let root = try delivery("first", "a")
      let child = try delivery("second", "b")
      let grandchild = try delivery("first", "c")
      #expect(deliveries.count == 6)
      #expect(root.cause == nil && child.cause == root.id && grandchild.cause == child.id)
      #expect(grandchild.lineage.map(\.function) == ["first", "second"])
      let name = try DocumentName(database: database, path: ResourcePath("notes/c"))
      #expect(dispatcher.writes.lastWrite(to: name, nil)?.invoker?.invocation == child.id)
    }
  }

  @Test func `a function that triggers itself is stopped and named`() async throws {
    try await withWriters(["loop": { _ in "notes/a" }]) { dispatcher, store in
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      let last = try #require(dispatcher.deliveries.last)
      #expect(dispatcher.deliveries.count == LoopGuard.maximumReturns + 1)
      #expect(last.state == .deadLettered && last.attemptCount == 0)
      #expect(last.result?.error?.message.contains("loop triggers itself") == true)
      #expect(dispatcher.deadLetterCount == 1)
    }
  }

  @Test func `functions that trigger each other with new documents are stopped and named`()
    async throws
  {
    try await withWriters(["loop": { "notes/\($0.document?.id ?? "")x" }]) { dispatcher, store in
      _ = try await store.commit([set("notes/a")], in: database)
      await dispatcher.quiet()
      #expect(dispatcher.deliveries.count == LoopGuard.maximumDepth + 2)
      let message = dispatcher.deliveries.last?.result?.error?.message
      #expect(message?.contains("chain of more than 16 functions: loop → loop") == true)
    }
  }

  @Test func `the declared writes of functions show possible loops`() throws {
    func function(
      _ name: String,
      on kind: EventType.Kind,
      _ document: String,
      fields: [String]? = nil,
      writes: String
    ) throws -> InstalledFunction {
      InstalledFunction(
        manifest: FunctionManifest(
          name: name,
          triggers: [
            .init(
              eventType: EventType(kind),
              document: document,
              fields: fields?.map { FieldPath($0) }
            )
          ],
          writes: [writes]
        ),
        command: .init(executable: "/bin/true", environment: [:])
      )
    }
    let catalog = FunctionCatalog([
      try function("itself", on: .written, "a/{id}", writes: "a/{other}"),
      try function("there", on: .updated, "b/{id}", writes: "c/{id}"),
      try function("back", on: .updated, "c/{id}", writes: "b/{id}"),
      try function("filtered", on: .updated, "d/{id}", fields: ["text"], writes: "d/{id}"),
      try function("creating", on: .created, "e/{id}", writes: "e/{id}"),
      try function("elsewhere", on: .updated, "f/{id}/g/{h}", writes: "f/{id}"),
      try function("broad", on: .updated, "h/{rest=**}", writes: "h/x/y/{z}"),
    ])
    #expect(catalog.cycles == ["back → there → back", "broad → broad", "itself → itself"])
  }
}
