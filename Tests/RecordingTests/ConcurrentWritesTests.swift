import Core
import FirestoreModel
import HTTPService
import TestKit
import Testing

@testable import Recording

/// Other clients' writes while an invocation is running.
struct ConcurrentWritesTests {
  private static let prefix = "projects/family-chat-prod/databases/(default)/documents"

  private static func request(_ verb: String, _ body: String) -> ServiceRequest {
    var path = ["v1"] + prefix.split(separator: "/").map(String.init)
    path[path.count - 1] += ":\(verb)"
    return ServiceRequest(method: "POST", path: path, body: Data(body.utf8))
  }

  private static let read = request("batchGet", #"{"documents":["\#(prefix)/users/marco"]}"#)
  private static let other = request("batchGet", #"{"documents":["\#(prefix)/users/sarah"]}"#)
  private static let query = request(
    "runQuery",
    #"{"structuredQuery":{"from":[{"collectionId":"users"}]}}"#
  )
  private static let commit = request(
    "commit",
    #"{"writes":[{"update":{"name":"\#(prefix)/users/marco"}}]}"#
  )

  private static func concurrentWrites(_ changes: String) throws -> ConcurrentWrites {
    let changes = try json(changes)
    return try ConcurrentWrites(
      try SampleFixture.make { $0["meanwhile"] = .object(["users/marco": changes]) }
    )
  }

  @Test func `a document is replayed as it was when it was read again, and not before`() throws {
    let concurrent = try Self.concurrentWrites(
      #"[{"before":"read","document":{"fields":{"a":{"integerValue":"1"}}}},{"before":"read","document":null}]"#
    )
    #expect(concurrent.writes(before: Self.other).isEmpty)
    #expect(concurrent.writes(before: Self.read).isEmpty)
    #expect(concurrent.writes(before: Self.commit).isEmpty)
    let first = try #require(concurrent.writes(before: Self.query).first)
    #expect(first.updateMask == FieldMask([FieldPath("a")]))
    let second = try #require(concurrent.writes(before: Self.read).first)
    #expect(second.operation == .delete(second.name))
    #expect(concurrent.writes(before: Self.read).isEmpty)
  }

  @Test func `a write that made a commit fail is there at the commit`() throws {
    let concurrent = try Self.concurrentWrites(
      #"[{"before":"commit","document":{"fields":{"a":{"integerValue":"1"}}}}]"#
    )
    #expect(concurrent.writes(before: Self.read).isEmpty)
    #expect(concurrent.writes(before: Self.read).isEmpty)
    #expect(concurrent.writes(before: Self.commit).count == 1)
    #expect(concurrent.writes(before: Self.commit).isEmpty)
  }

  @Test func `another client's write stays when the function writes the document`() throws {
    let fixture = try SampleFixture.make { members in
      members["meanwhile"] = .object([
        "users/sarah": .array([
          .object([
            "before": .string("read"),
            "document": .object([
              "fields": .object(["displayName": .object(["stringValue": .string("Sarah Miller")])])
            ]),
          ])
        ])
      ])
    }
    #expect(try ReplayFixture(file: fixture.file) == fixture)
  }
}
