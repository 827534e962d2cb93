import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import TestKit
import Testing

/// Reads under security rules.
struct RulesReadTests {
  @Test func `a missing document is decided on before its absence is reported`() throws {
    let guarded = try GuardedFirestore(
      """
      match /own/{id} { allow get: if resource.data.owner == request.auth.uid; }
      match /cache/{id} { allow get: if resource == null; }
      """
    )
    let ana = try RequestContext.user("ana")
    func get(_ path: String) throws {
      _ = try guarded.service.getDocument(.with { $0.name = Firestore.name(path) }, ana).now
    }
    #expect(throws: denied("\nNull value error. for 'get' @ L4")) { try get("own/a") }
    #expect(
      throws: StatusError(
        .notFound,
        "Document \"\(Firestore.name("cache/a"))\" not found."
      )
    ) { try get("cache/a") }
    try guarded.set("own/a", ["owner": "ana"])
    try get("own/a")
    try guarded.set("own/a", ["owner": "ben"])
    #expect(throws: denied("\nfalse for 'get' @ L4")) { try get("own/a") }
  }

  @Test func `one denied document denies a batch`() async throws {
    let guarded = try GuardedFirestore("match /open/{id} { allow get; }")
    let ana = try RequestContext.user("ana")
    #expect(try await guarded.batchGet(as: ana, "open/a", "open/b").count == 2)
    await #expect(throws: denied("No matching allow statements")) {
      try await guarded.batchGet(as: ana, "open/a", "closed/a")
    }
  }

  @Test func `documents read together share a budget of twenty`() async throws {
    let conditions = (0..<7)
      .map { "exists(/databases/$(db)/documents/e/$(id + '\($0)'))" }
      .joined(separator: " && ")
    let guarded = try GuardedFirestore("match /m/{id} { allow get: if \(conditions); }")
    for id in ["a", "b", "c"] {
      for number in 0..<7 { try guarded.set("e/\(id)\(number)") }
    }
    let ana = try RequestContext.user("ana")
    #expect(try await guarded.batchGet(as: ana, "m/a", "m/b").count == 2)
    await #expect {
      _ = try await guarded.batchGet(as: ana, "m/a", "m/b", "m/c")
    } throws: { error in
      let error = error as? StatusError
      return error?.code == .permissionDenied
        && error?.message.hasPrefix("\nService call error. Function: [exists]") == true
    }
  }

  @Test func `a query must prove what it finds`() async throws {
    let guarded = try GuardedFirestore(
      "match /c/{id} { allow list: if resource.data.owner == request.auth.uid; }"
    )
    try guarded.set("c/a", ["owner": "ana"])
    func query(_ owner: String, as context: RequestContext) async throws -> Int {
      try await guarded.service.runQuery(
        .with {
          $0.parent = Firestore.documents
          $0.structuredQuery.from = [.with { $0.collectionID = "c" }]
          $0.structuredQuery.where.fieldFilter.field.fieldPath = "owner"
          $0.structuredQuery.where.fieldFilter.op = .equal
          $0.structuredQuery.where.fieldFilter.value.stringValue = owner
        },
        context
      ).collected().count { $0.hasDocument }
    }
    #expect(try await query("ana", as: .user("ana")) == 1)
    await #expect(throws: denied("\nfalse for 'list' @ L4")) {
      try await query("ana", as: .user("ben"))
    }
    // The result would be empty, which proves nothing.
    await #expect(throws: denied("\nfalse for 'list' @ L4")) {
      try await query("nobody", as: .user("ben"))
    }
  }

  @Test func `a query of all collections isn't that of a collection without a name`() async throws {
    let guarded = try GuardedFirestore(
      "match /{collection}/{id} { allow list: if collection != 'secret'; }"
    )
    try guarded.set("secret/a")
    for isDeep in [false, true] {
      await #expect {
        _ = try await guarded.service.runQuery(
          .with {
            $0.parent = Firestore.documents
            $0.structuredQuery.from = [.with { $0.allDescendants = isDeep }]
          },
          .nobody
        ).collected()
      } throws: {
        ($0 as? StatusError)?.code == .permissionDenied
      }
    }
  }

  @Test func `a list knows its page's size`() throws {
    let guarded = try GuardedFirestore(
      "match /c/{id} { allow list: if request.query.limit <= 10; }"
    )
    func list(_ size: Int32) throws {
      _ = try guarded.service.listDocuments(
        .with {
          $0.parent = Firestore.documents
          $0.collectionID = "c"
          $0.pageSize = size
        },
        .nobody
      ).now
    }
    try list(10)
    #expect(throws: denied("\nfalse for 'list' @ L4")) { try list(11) }
    #expect(throws: denied("\nfalse for 'list' @ L4")) { try list(0) }
  }

  // MARK: Transactions and past states

  @Test func `a denied read takes no locks, and its transaction goes on`() async throws {
    let guarded = try GuardedFirestore("match /open/{id} { allow read, write; }")
    try guarded.set("closed/a")
    let ana = try RequestContext.user("ana")
    let id = try guarded.begin(as: ana)
    await #expect(throws: denied("No matching allow statements")) {
      try await guarded.batchGet(as: ana, transaction: id, "open/a", "closed/a")
    }
    // A lock would make these commits wait.
    try guarded.set("closed/a", ["x": 1])
    try guarded.set("open/a", ["x": 1])
    _ = try await guarded.batchGet(as: ana, transaction: id, "open/a")
    try guarded.commit(as: ana, transaction: id, .set("open/b"))
  }

  @Test func `rules see the state that is read`() async throws {
    let guarded = try GuardedFirestore(
      "match /c/{id} { allow get: if get(/databases/$(db)/documents/gate/g).data.isOpen; }"
    )
    try guarded.set("gate/g", ["isOpen": true])
    let time = try guarded.firestore.get("gate/g").updateTime
    try guarded.set("gate/g", ["isOpen": false])
    let ana = try RequestContext.user("ana")
    await #expect(throws: denied("\nfalse for 'get' @ L4")) {
      try await guarded.batchGet(as: ana, "c/a")
    }
    let id = try guarded.service.beginTransaction(
      .with {
        $0.database = Firestore.database
        $0.options.readOnly.readTime = time
      },
      ana
    ).transaction
    #expect(try await guarded.batchGet(as: ana, transaction: id, "c/a").count == 1)
  }
}
