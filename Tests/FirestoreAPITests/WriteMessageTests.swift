import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import Testing

struct WriteMessageTests {
  private let firestore = Firestore()

  struct BadWrite: CustomTestStringConvertible, Sendable {
    var message: String
    var write: ProtoWrite
    var testDescription: String { message }

    init(_ message: String, _ fill: (inout ProtoWrite) -> Void) {
      self.message = message
      write = .with { fill(&$0) }
    }

    /// Returns a write that transforms a field.
    static func transform(
      _ message: String,
      _ fill: (inout ProtoDocumentTransform.FieldTransform) -> Void
    ) -> BadWrite {
      BadWrite(message) { write in
        write.update = .named("c/x")
        write.updateTransforms = [.with { fill(&$0) }]
      }
    }
  }

  static let badWrites = [
    BadWrite("empty write operation") { _ in },
    BadWrite("Document name \"\" lacks \"projects\" at index 0.") { $0.update = ProtoDocument() },
    BadWrite("lacks \"/\" at index 42.") { $0.delete = Firestore.name("c") },
    BadWrite("is not in the commit's database") {
      $0.delete = "projects/other/databases/(default)/documents/c/x"
    },
    BadWrite("\"__a__\" is invalid because it is reserved") {
      $0.delete = Firestore.name("c/__a__")
    },
    BadWrite("type unset") { write in
      write.update = .named("c/x")
      write.update.fields = ["a": ProtoValue()]
    },
    BadWrite("Invalid property path \"a-b\"") { write in
      write.update = .named("c/x")
      write.updateMask.fieldPaths = ["a-b"]
    },
    BadWrite("Invalid empty property path") { write in
      write.update = .named("c/x")
      write.updateMask.fieldPaths = [""]
    },
    BadWrite("Timestamp nanos exceeds limit") { write in
      write.delete = Firestore.name("c/x")
      write.currentDocument.updateTime = .init(seconds: 1, nanos: -1)
    },
    .transform("Operation type must be specified") { $0.fieldPath = "a" },
    .transform("Invalid empty property path") { $0.setToServerValue = .requestTime },
    .transform("ServerValue type must be specified") { transform in
      transform.fieldPath = "a"
      transform.setToServerValue = .UNRECOGNIZED(7)
    },
    .transform("ServerValue type must be specified") { transform in
      transform.fieldPath = "a"
      transform.setToServerValue = .unspecified
    },
    .transform("int64 or double") { transform in
      transform.fieldPath = "a"
      transform.increment = Value.string("1").proto
    },
    .transform("type unset") { transform in
      transform.fieldPath = "a"
      transform.appendMissingElements.values = [ProtoValue()]
    },
  ]

  @Test(arguments: badWrites)
  func `an invalid write is refused`(_ bad: BadWrite) throws {
    let error = #expect(throws: StatusError.self) { try firestore.commit(bad.write) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(bad.message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["", "projects/p", "projects/p/databases/", "projects/p/databases/d/documents"])
  func `a database name has four parts`(_ name: String) throws {
    let error = #expect(throws: StatusError.self) {
      try firestore.service.commit(.with { $0.database = name }, firestore.context)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `every operation and transform is decoded`() throws {
    try firestore.set("c/gone")
    let response = try firestore.commit(
      .with { write in
        write.update = .named("c/x", ["a": 1, "ignored": 1])
        write.updateMask.fieldPaths = ["a", "absent"]
        write.updateTransforms = [
          .with { transform in
            transform.fieldPath = "a"
            transform.increment = Value.integer(4).proto
          },
          .with { transform in
            transform.fieldPath = "list.`x y`"
            transform.appendMissingElements.values = [Value.integer(1).proto]
          },
          .with { transform in
            transform.fieldPath = "at"
            transform.setToServerValue = .requestTime
          },
        ]
        write.currentDocument.exists = false
      },
      .with { $0.delete = Firestore.name("c/gone") },
      .with { write in
        write.transform.document = Firestore.name("c/y")
        write.transform.fieldTransforms = [
          .with { transform in
            transform.fieldPath = "max"
            transform.maximum = Value.double(2.5).proto
          }
        ]
      },
      .with { write in
        write.verify = Firestore.name("c/z")
        write.currentDocument.exists = false
      }
    )
    let results = response.writeResults
    #expect(results.count == 4 && response.hasCommitTime)
    #expect(results[0].updateTime == response.commitTime)
    let transformed = try results[0].transformResults.map { try Value($0) }
    #expect(transformed.count == 3)
    #expect(transformed[0] == 5 && transformed[1] == .null)
    #expect(!results[1].hasUpdateTime)
    #expect(try results[2].transformResults.map { try Value($0) } == [.double(2.5)])

    var fields = try Fields(firestore.get("c/x").fields)
    #expect(fields.removeValue(forKey: "at") == transformed[2])
    #expect(fields == ["a": 5, "list": ["x y": [1]]])
  }

  @Test func `a commit without writes has a time`() throws {
    let response = try firestore.commit()
    #expect(response.hasCommitTime && response.writeResults.isEmpty)
  }
}
