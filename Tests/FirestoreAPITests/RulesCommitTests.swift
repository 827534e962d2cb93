import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import TestKit
import Testing

/// Commits under security rules.
struct RulesCommitTests {
  private static let none = "No matching allow statements"

  /// The method that rules decide on for writes to one document, by the document's existence.
  ///
  /// Source: Google's emulator.
  private static let methods: [(writes: [ProtoWrite], missing: String, existing: String)] = [
    ([.set("c/a")], "create", "update"),
    ([.set("c/a", exists: false)], "create", "create"),
    ([.set("c/a", exists: true)], "update", "update"),
    ([.delete("c/a")], "delete", "delete"),
    ([.delete("c/a", exists: true)], "delete", "delete"),
    ([.verify("c/a", exists: true)], "get", "get"),
    ([.verify("c/a", exists: false)], "get", "get"),
    ([.set("c/a"), .set("c/a")], "create", "update"),
    ([.set("c/a", exists: true), .set("c/a")], "update", "update"),
    ([.set("c/a", exists: false), .delete("c/a")], "delete", "delete"),
    ([.delete("c/a"), .set("c/a")], "create", "update"),
    ([.delete("c/a", exists: true), .set("c/a")], "update", "update"),
    ([.delete("c/a", exists: false), .set("c/a")], "create", "create"),
  ]

  @Test(arguments: methods)
  func `writes to one document are decided on together`(
    writes: [ProtoWrite],
    missing: String,
    existing: String
  ) throws {
    for (exists, expected) in [(false, missing), (true, existing)] {
      for method in ["get", "create", "update", "delete"] {
        let guarded = try GuardedFirestore("match /c/{id} { allow \(method); }")
        if exists { try guarded.set("c/a") }
        do {
          _ = try guarded.service.commit(
            .with {
              $0.database = Firestore.database
              $0.writes = writes
            },
            .nobody
          ).now
          #expect(method == expected)
        } catch {
          // Allowed writes may fail because of their preconditions.
          let isDenied = (error as? StatusError)?.code == .permissionDenied
          #expect(isDenied == (method != expected), "\(method), \(exists): \(error)")
        }
      }
    }
  }

  @Test func `rules see the documents before and after a commit`() throws {
    let guarded = try GuardedFirestore(
      """
      match /c/{id} {
        allow update: if resource.data.n == 1 && request.resource.data.n == 3
          && request.resource.data.kept == 'k' && request.resource.data.at == request.time;
      }
      """
    )
    try guarded.set("c/a", ["n": 1, "kept": "k"])
    let write = ProtoWrite.with {
      $0.update = .named("c/a", ["n": 3])
      $0.updateMask.fieldPaths = ["n"]
      $0.updateTransforms = [
        .with {
          $0.fieldPath = "at"
          $0.setToServerValue = .requestTime
        }
      ]
    }
    try guarded.commit(as: .nobody, write)
    #expect(throws: denied("\nfalse for 'update' @ L5")) {
      try guarded.commit(as: .nobody, write)
    }
  }

  @Test func `get sees the state before a batch, and getAfter the state after it`() throws {
    let path = "/databases/$(db)/documents"
    let guarded = try GuardedFirestore(
      """
      match /messages/{id} {
        allow create: if !exists(\(path)/counts/c)
          && getAfter(\(path)/counts/c).data.n == 1
          && existsAfter(\(path)/messages/$(id))
          && !existsAfter(\(path)/old/a) && exists(\(path)/old/a);
      }
      match /counts/{id} { allow write; }
      match /old/{id} { allow delete; }
      """
    )
    try guarded.set("old/a")
    func commit(_ writes: ProtoWrite...) throws {
      _ = try guarded.service.commit(
        .with {
          $0.database = Firestore.database
          $0.writes = writes
        },
        .nobody
      ).now
    }
    #expect(throws: StatusError.self) { try commit(.set("messages/a"), .delete("old/a")) }
    #expect(throws: StatusError.self) { try commit(.set("messages/a"), .set("counts/c", ["n": 1])) }
    try commit(.set("messages/a"), .set("counts/c", ["n": 1]), .delete("old/a"))
  }

  @Test func `one denied write denies the commit, which leaves no trace`() throws {
    let guarded = try GuardedFirestore("match /open/{id} { allow write; }")
    #expect(throws: denied(Self.none)) {
      try guarded.commit(as: .nobody, .set("open/a"), .set("closed/a"))
    }
    #expect(throws: StatusError.self) { try guarded.firestore.get("open/a") }
  }

  @Test func `a denied commit ends its transaction and releases its locks`() async throws {
    let guarded = try GuardedFirestore("match /open/{id} { allow read, write; }")
    let ana = try RequestContext.user("ana")
    let id = try guarded.begin(as: ana)
    _ = try await guarded.batchGet(as: ana, transaction: id, "open/a")
    #expect(throws: denied(Self.none)) {
      try guarded.commit(as: ana, transaction: id, .set("closed/a"))
    }
    try guarded.set("open/a")
    #expect(throws: invalid("The referenced transaction has expired or is no longer valid.")) {
      try guarded.commit(as: ana, transaction: id, .set("open/a"))
    }
  }

  // MARK: The order of errors

  @Test(arguments: [
    ProtoWrite.set("c/a", exists: false), .set("c/b", exists: true), .delete("c/b", exists: true),
    .verify("c/b", exists: true),
    .with {
      $0.update = .named("c/a")
      $0.currentDocument.updateTime.seconds = 1
    },
  ])
  func `a denied caller doesn't learn whether a document exists`(write: ProtoWrite) throws {
    let guarded = try GuardedFirestore("match /other/{id} { allow read, write; }")
    try guarded.set("c/a")
    #expect(throws: denied(Self.none)) { try guarded.commit(as: .nobody, write) }
    #expect {
      try guarded.commit(as: .owner, write)
    } throws: {
      ($0 as? StatusError).map { $0.code != .permissionDenied } ?? false
    }
  }

  @Test func `a denied caller doesn't learn how large a document is`() throws {
    let guarded = try GuardedFirestore("match /other/{id} { allow read, write; }")
    let half = Value.string(String(repeating: "x", count: 600_000))
    try guarded.set("c/a", ["a": half])
    let write = ProtoWrite.with {
      $0.update = .named("c/a", ["b": half])
      $0.updateMask.fieldPaths = ["b"]
    }
    #expect(throws: denied(Self.none)) { try guarded.commit(as: .nobody, write) }
    #expect {
      try guarded.commit(as: .owner, write)
    } throws: {
      ($0 as? StatusError)?.code == .invalidArgument
    }
  }

  @Test func `a malformed commit is refused before rules decide`() throws {
    let guarded = try GuardedFirestore("match /other/{id} { allow read, write; }")
    #expect(
      throws: invalid("Cannot insert then insert an entity in the same request.")
    ) {
      try guarded.commit(as: .nobody, .set("c/a", exists: false), .set("c/a", exists: false))
    }
    try guarded.commit(as: .nobody)
  }

  // MARK: Budgets

  @Test(arguments: [(1, 10, true), (1, 11, false), (2, 10, true), (3, 7, false), (4, 5, true)])
  func `a write reads at most ten documents, and a commit twenty`(
    writes: Int,
    reads: Int,
    isAllowed: Bool
  ) throws {
    let conditions = (0..<reads)
      .map { "!exists(/databases/$(db)/documents/e/$(id + '\($0)'))" }
      .joined(separator: " && ")
    let guarded = try GuardedFirestore("match /c/{id} { allow create: if \(conditions); }")
    let request = ProtoCommitRequest.with {
      $0.database = Firestore.database
      $0.writes = (0..<writes).map { .set("c/w\($0)") }
    }
    do {
      _ = try guarded.service.commit(request, .nobody).now
      #expect(isAllowed)
    } catch {
      #expect(!isAllowed)
    }
  }

  @Test func `a commit that has waited is decided by the rules that hold then`() async throws {
    let guarded = try GuardedFirestore("match /c/{id} { allow read, write; }")
    try guarded.set("c/a")
    let transaction = try guarded.begin(as: .owner)
    _ = try await guarded.batchGet(as: .owner, transaction: transaction, "c/a")
    let waiting = try guarded.service.commit(
      .with {
        $0.database = Firestore.database
        $0.writes = [.set("c/a", ["n": 1])]
      },
      .nobody
    )
    try guarded.replace("match /c/{id} { allow read; }")
    _ = try guarded.service.rollback(
      .with {
        $0.database = Firestore.database
        $0.transaction = transaction
      },
      .owner
    )
    await #expect(throws: denied(Self.none)) {
      try await waiting.value()
    }
  }
}
