import Core
import FirestoreModel
import Store
import TestKit
import Testing

struct PreconditionTests {
  static let path = "projects/p/databases/d/documents/c/x"

  enum Operation: CaseIterable {
    case update, delete, verify, transform
  }

  private func write(_ operation: Operation, if precondition: Precondition) throws -> Write {
    switch operation {
    case .update: return try .set("c/x", ["a": 2], if: precondition)
    case .delete: return try .delete("c/x", if: precondition)
    case .verify: return try .verify("c/x", if: precondition)
    case .transform:
      var write = try Write.transform("c/x", [FieldTransform(FieldPath("a"), .increment(1))])
      write.currentDocument = precondition
      return write
    }
  }

  @Test(arguments: Operation.allCases)
  func `a missing document fails preconditions with production's errors`(operation: Operation) {
    let store = Store()
    #expect(
      statusError { try store.commit(write(operation, if: .exists(true))) }
        == StatusError(.notFound, "No document to update: \(Self.path)")
    )
    #expect(
      statusError {
        try store.commit(write(operation, if: .updateTime(Timestamp(seconds: 1_577_836_800))))
      }
        == StatusError(
          .failedPrecondition,
          "the stored version (0) does not match the required base version (1577836800000000)"
        )
    )
    #expect(statusError { try store.commit(write(operation, if: .exists(false))) } == nil)
  }

  @Test(arguments: Operation.allCases)
  func `an existing document fails preconditions with production's errors`(operation: Operation)
    throws
  {
    let store = Store(clock: ManualClock().now)
    let time = try store.commit(.set("c/x", ["a": 1])).time
    #expect(
      statusError { try store.commit(write(operation, if: .exists(false))) }
        == StatusError(.alreadyExists, "Document already exists: \(Self.path)")
    )
    #expect(
      statusError { try store.commit(write(operation, if: .updateTime(Timestamp(seconds: 1)))) }
        == StatusError(
          .failedPrecondition,
          "the stored version (1000000000) does not match the required base version (1000000)"
        )
    )
    #expect(
      statusError {
        try store.commit(write(operation, if: .updateTime(time.advanced(by: .seconds(1)))))
      }
        == invalid(
          "Invalid base version, it is greater than the stored version: \(Self.path)"
        )
    )
    #expect(try store.document(name("c/x"))?.updateTime == time)
    #expect(statusError { try store.commit(write(operation, if: .updateTime(time))) } == nil)
  }

  @Test func `an update time needs every digit`() throws {
    let store = Store(clock: ManualClock(Timestamp(seconds: 9, nanoseconds: 123_456_000)).now)
    let time = try store.commit(.set("c/x", ["a": 1])).time
    let rounded = Timestamp(seconds: 9, nanoseconds: 123_000_000)
    #expect(
      statusError { try store.commit(.delete("c/x", if: .updateTime(rounded))) }?.code
        == .failedPrecondition
    )
    #expect(statusError { try store.commit(.delete("c/x", if: .updateTime(time))) } == nil)
  }

  @Test func `a verify changes nothing and returns the document's update time`() throws {
    let store = Store()
    let time = try store.commit(.set("c/x", ["a": 1])).time
    let commit = try store.commit(
      .verify("c/x", if: .updateTime(time)),
      .verify("c/none", if: .exists(false)),
      .set("c/y")
    )
    #expect(commit.results.map(\.updateTime) == [time, nil, commit.time])
    #expect(commit.changes.map(\.name.id) == ["y"])
  }

  @Test func `a document is verified once and not written in the same commit`() throws {
    let verify = try Write.verify("c/x", if: .exists(false))
    let table: [([Write], String)] = [
      ([verify, try .set("c/x")], "verified and then written"),
      ([try .set("c/x"), verify], "written and then verified"),
      ([verify, try .delete("c/x")], "verified and then written"),
      ([verify, verify], "verified more than once"),
    ]
    for (writes, verb) in table {
      #expect(
        statusError { try Store().commit(writes, in: database) }
          == invalid("the same document cannot be \(verb) in a single request")
      )
    }
  }

  @Test func `members that don't fit a write's kind are refused`() throws {
    let increment = [FieldTransform(FieldPath("a"), .increment(1))]
    let target = try name("c/x")
    let table: [(Write, String)] = [
      (
        Write(.delete(target), updateMask: FieldMask([])),
        "a delete must not specify a document mask."
      ),
      (
        Write(.delete(target), updateTransforms: increment),
        "a delete must not specify a update transform."
      ),
      (
        Write(.verify(target), updateMask: FieldMask([]), currentDocument: .exists(true)),
        "a verify must not specify a document mask."
      ),
      (Write(.verify(target)), "a verify must contain a precondition"),
      (
        Write(.transform(target, increment), updateMask: FieldMask([])),
        "a transform must not specify a document mask."
      ),
      (Write(.transform(target, [])), "The list of FieldTransform must not be empty."),
    ]
    for (write, message) in table {
      #expect(statusError { try Store().commit([write], in: database) } == invalid(message))
    }
  }
}
