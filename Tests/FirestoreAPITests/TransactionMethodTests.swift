import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import Store
import SwiftProtobuf
import TestKit
import Testing

struct TransactionMethodTests {
  private let firestore = Firestore()
  private var service: FirestoreService { firestore.service }
  private var context: RequestContext { firestore.context }

  private func begin(
    _ fill: (inout ProtoTransactionOptions) -> Void = { _ in }
  ) throws -> Data {
    try service.beginTransaction(
      .with { request in
        request.database = Firestore.database
        fill(&request.options)
      },
      context
    ).transaction
  }

  private func commit(_ id: Data, _ writes: ProtoWrite...) throws -> ProtoCommitResponse {
    try service.commit(
      .with { request in
        request.database = Firestore.database
        request.transaction = id
        request.writes = writes
      },
      context
    ).now
  }

  private func rollback(_ id: Data) throws {
    _ = try service.rollback(
      .with { request in
        request.database = Firestore.database
        request.transaction = id
      },
      context
    )
  }

  @Test func `a transaction commits once`() throws {
    let id = try begin()
    #expect(!id.isEmpty)
    _ = try commit(id, .with { $0.update = .named("c/x", ["a": 1]) })
    #expect(try Fields(firestore.get("c/x").fields) == ["a": 1])
    let error = #expect(throws: StatusError.self) { try commit(id) }
    #expect(error?.code == .invalidArgument)
    try rollback(id)
  }

  @Test func `a transaction names the attempt that it repeats, and its concurrency mode`() throws {
    let first = try begin { $0.readWrite.concurrencyMode = .optimistic }
    try rollback(first)
    let second = try begin { $0.readWrite.retryTransaction = first }
    #expect(second != first)
    let error = #expect(throws: StatusError.self) {
      try begin { $0.readWrite.concurrencyMode = .UNRECOGNIZED(9) }
    }
    #expect(error == invalid("Unknown concurrency mode 9."))
  }

  @Test func `a read-only transaction can't write`() throws {
    let id = try begin { $0.readOnly = .init() }
    let error = #expect(throws: StatusError.self) {
      try commit(id, .with { $0.update = .named("c/x") })
    }
    #expect(error == invalid("Cannot modify entities in a read-only transaction."))
  }

  @Test func `an unknown transaction id is refused`() async throws {
    let foreign = Data("elsewhere".utf8)
    #expect(throws: StatusError.self) { try commit(foreign) }
    let got = #expect(throws: StatusError.self) {
      try service.getDocument(
        .with { request in
          request.name = Firestore.name("c/x")
          request.transaction = foreign
        },
        context
      )
    }
    #expect(got?.code == .invalidArgument)
    #expect(throws: invalid("Invalid transaction.")) { try rollback(Data()) }
  }

  @Test func `a transaction begun by a failed read is rolled back`() async throws {
    try firestore.set("c/x")
    let error = await #expect(throws: StatusError.self) {
      try await service.runQuery(
        .with { request in
          request.parent = Firestore.documents
          request.structuredQuery.from = [.with { $0.collectionID = "c" }]
          request.structuredQuery.offset = -1
          request.newTransaction = .init()
        },
        context
      )
    }
    #expect(error == invalid("offset is negative"))
    // The write must not wait for a lock.
    try firestore.set("c/x", ["a": 1])
  }

  // MARK: BatchWrite

  private func batchWrite(_ writes: ProtoWrite...) throws -> ProtoBatchWriteResponse {
    try service.batchWrite(
      .with { request in
        request.database = Firestore.database
        request.writes = writes
      },
      context
    ).now
  }

  @Test func `each write of a batch fails on its own`() throws {
    let response = try batchWrite(
      .with { $0.update = .named("c/x", ["a": 1]) },
      .with { write in
        write.update = .named("c/missing")
        write.currentDocument.exists = true
      },
      .with { $0.delete = Firestore.name("c/y") }
    )
    #expect(response.status.map(\.code) == [0, 5, 0])
    #expect(response.status[1].message.hasPrefix("No document to update: "))
    #expect(response.writeResults.map(\.hasUpdateTime) == [true, false, false])
    #expect(try Fields(firestore.get("c/x").fields) == ["a": 1])
  }

  @Test func `a batch writes a document only once`() throws {
    let once = invalid(
      "the same document cannot be written more than once in a single request"
    )
    #expect(throws: once) {
      try batchWrite(
        .with { $0.update = .named("c/x") },
        .with { $0.delete = Firestore.name("c/x") }
      )
    }
    #expect(throws: StatusError.self) { try firestore.get("c/x") }
  }

  @Test func `a write that waits for a transaction delays no other write of its batch`()
    async throws
  {
    try firestore.set("c/x")
    let id = try begin()
    var request = ProtoBatchGetDocumentsRequest()
    request.database = Firestore.database
    request.documents = [Firestore.name("c/x")]
    request.transaction = id
    _ = try await service.batchGetDocuments(request, context).collected()
    let attempt: MaybePending<ProtoBatchWriteResponse> = try service.batchWrite(
      .with { request in
        request.database = Firestore.database
        request.writes = ["c/a", "c/x", "c/b"].map { path in
          .with { $0.update = .named(path, ["n": 1]) }
        }
      },
      context
    )
    guard case .blocked(let wait) = attempt else { throw StatusError(.internal, "not blocked") }
    #expect(try Fields(firestore.get("c/a").fields) == ["n": 1])
    #expect(try Fields(firestore.get("c/b").fields) == ["n": 1])
    #expect(try Fields(firestore.get("c/x").fields) == [:])
    try rollback(id)
    #expect(try await wait().status.map(\.code) == [0, 0, 0])
    #expect(try Fields(firestore.get("c/x").fields) == ["n": 1])
  }

  @Test func `the maximum number of writes applies to commits and batches alike`() throws {
    var limits = Store.Limits()
    limits.writesPerCommit = 2
    let service = FirestoreService(project: "p", store: Store(limits: limits), newID: { "unused" })
    let writes = ["c/a", "c/b", "c/c"].map { path in
      ProtoWrite.with { $0.update = .named(path, [:]) }
    }
    func commit(_ count: Int) throws -> Int {
      try service.commit(
        .with { request in
          request.database = Firestore.database
          request.writes = Array(writes.prefix(count))
        },
        context
      ).now.writeResults.count
    }
    func batch(_ count: Int) throws -> Int {
      try service.batchWrite(
        .with { request in
          request.database = Firestore.database
          request.writes = Array(writes.prefix(count))
        },
        context
      ).now.writeResults.count
    }
    let refusal = invalid("maximum 2 writes allowed per request")
    #expect(try commit(2) == 2)
    #expect(try batch(2) == 2)
    #expect(throws: refusal) { try commit(3) }
    #expect(throws: refusal) { try batch(3) }
  }
}
