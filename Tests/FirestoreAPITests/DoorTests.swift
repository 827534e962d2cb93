import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import Rules
import SwiftProtobuf
import TestKit
import Testing

/// Security rules on every way to Firestore's data.
struct DoorTests {
  private static let all = "match /{document=**} { allow read, write: if %; }"

  private func guarded(allowing condition: String?) throws -> GuardedFirestore {
    let guarded = try GuardedFirestore(
      condition.map { Self.all.replacing("%", with: $0) }
    )
    try guarded.set("c/a", ["x": 1])
    return guarded
  }

  @Test(arguments: Door.allCases)
  func `rules allow a signed-in user`(door: Door) async throws {
    let guarded = try guarded(allowing: "request.auth.uid == 'ana' && request.auth.token.vip")
    try await door.enter(guarded, as: .user("ana", ["vip": .boolean(true)]))
  }

  @Test(arguments: Door.allCases)
  func `rules deny other users, and callers without a token`(door: Door) async throws {
    let guarded = try guarded(allowing: "request.auth.uid == 'ana'")
    await #expect(throws: denied("\nfalse for '\(door.method)' @ L4")) {
      try await door.enter(guarded, as: .user("ben"))
    }
    await #expect(throws: denied("\nNull value error. for '\(door.method)' @ L4")) {
      try await door.enter(guarded, as: .nobody)
    }
    // Nothing was written, and no lock is left.
    #expect(try guarded.firestore.get("c/a").fields.count == 1)
    #expect(throws: Never.self) { try guarded.set("c/a", ["x": 2]) }
  }

  @Test(arguments: Door.allCases)
  func `rules don't apply to administrators`(door: Door) async throws {
    try await door.enter(guarded(allowing: "false"), as: .owner)
  }

  @Test(arguments: Door.allCases)
  func `without rules everything is open`(door: Door) async throws {
    try await door.enter(guarded(allowing: nil), as: .nobody)
  }

  @Test(arguments: Door.allCases)
  func `what no statement matches is denied`(door: Door) async throws {
    let guarded = try GuardedFirestore("match /other/{id} { allow read, write; }")
    try guarded.set("c/a", ["x": 1])
    await #expect(throws: denied("No matching allow statements")) {
      try await door.enter(guarded, as: .user("ana"))
    }
  }

  @Test(arguments: Door.allCases)
  func `each method needs its own permission`(door: Door) async throws {
    for method in ["get", "list", "create", "update", "delete"] {
      let guarded = try GuardedFirestore("match /{document=**} { allow \(method); }")
      try guarded.set("c/a", ["x": 1])
      let isAllowed = method == door.method
      do {
        try await door.enter(guarded, as: .user("ana"))
        #expect(isAllowed, "\(method)")
      } catch {
        #expect(!isAllowed, "\(method)")
        #expect(error as? StatusError == denied("No matching allow statements"))
      }
    }
  }

  // MARK: Methods for administrators

  @Test func `some methods are for administrators alone`() async throws {
    let guarded = try guarded(allowing: "true")
    let (service, user) = (guarded.service, try RequestContext.user("ana"))
    let metadata = denied("Metadata operations require admin authentication.")
    #expect(throws: metadata) {
      try service.listCollectionIDs(.with { $0.parent = Firestore.documents }, user)
    }
    #expect(throws: metadata) {
      try service.listDocuments(
        .with {
          $0.parent = Firestore.documents
          $0.collectionID = "c"
          $0.showMissing = true
        },
        user
      ).now
    }
    #expect(throws: denied("Partition queries require admin authentication.")) {
      try service.partitionQuery(
        .with {
          $0.parent = Firestore.documents
          $0.partitionCount = 2
          $0.structuredQuery.from = [
            .with {
              $0.collectionID = "c"
              $0.allDescendants = true
            }
          ]
        },
        user
      )
    }
    #expect(throws: denied("Batch writes require admin authentication.")) {
      try service.batchWrite(
        .with {
          $0.database = Firestore.database
          $0.writes = [.set("c/b")]
        },
        user
      ).now
    }
    #expect(
      try service.listCollectionIDs(.with { $0.parent = Firestore.documents }, .owner).collectionIds
        == ["c"]
    )
  }

  // MARK: REST

  @Test func `REST answers 403 with the reasons`() async throws {
    let guarded = try guarded(allowing: "false")
    let answer = try await guarded.firestore.http(
      "GET",
      guarded.firestore.documents("/c/a"),
      headers: [:]
    )
    #expect(answer.status == 403)
    #expect(answer.json["error"]?["status"]?.string == "PERMISSION_DENIED")
    #expect(answer.message == "\nfalse for 'get' @ L4")
  }

  @Test func `rules that are too long are refused even if errors are ignored`() async throws {
    let guarded = try guarded(allowing: "false")
    let answer = try await guarded.putRules(String(repeating: "x", count: 256 << 10 + 1), of: "p")
    #expect(answer.status == 400)
    #expect(answer.message == "The rules have 262145 bytes. The limit is 262144.")
    #expect(guarded.rules.projects.isEmpty)
  }

  @Test func `the rules of all projects have a limit together`() async throws {
    let guarded = try guarded(allowing: "false")
    let text = String(repeating: "x", count: 256 << 10)
    for number in 0..<63 {
      #expect(try await guarded.putRules(text, of: "p\(number)").status == 200)
    }
    let answer = try await guarded.putRules(text, of: "more")
    #expect(answer.status == 429)
    #expect(answer.message.hasPrefix("The rules of 64 projects have more than 16777216 bytes"))
    // A project's rules can still be replaced and removed.
    #expect(try await guarded.putRules("y", of: "p0").status == 200)
    try guarded.rules.replace(nil, of: "p1")
    #expect(try await guarded.putRules(text, of: "more").status == 200)
  }

  @Test func `rules that do not compile let nobody begin a transaction`() async throws {
    let guarded = try guarded(allowing: "true")
    guarded.rules.replace(RulesFile(name: "", content: "x"))
    #expect(throws: StatusError.self) { try guarded.begin(as: .nobody) }
    _ = try guarded.begin(as: .owner)
  }

  @Test func `a project's own rules replace the emulator's`() async throws {
    let guarded = try guarded(allowing: "false")
    try guarded.replace("match /{all=**} { allow read; }", of: "p")
    try await Door.get.enter(guarded, as: .nobody)
    await #expect(throws: denied("No matching allow statements")) {
      try await Door.commit.enter(guarded, as: .nobody)
    }
  }
}
