import Core
import FirestoreModel
import Store
import TestKit
import Testing

@testable import Persistence

/// Exports that are imported again. The documents must be the same as before.
@Suite(.timeLimit(.minutes(10)))
struct ExportRoundTripTests {
  @Test(arguments: [1, 2] as [UInt64])
  func `lines of JSON preserve documents, times and bytes`(seed: UInt64) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let (here, there) = (Side(), Side())
      var generator = DocumentGenerator(seed: seed)
      try await here.put(try generator.documents(400))
      let documents = try here.documents()
      #expect(try await here.export(to: "\(folder)/a").documents == documents.count)
      #expect(try await there.load("\(folder)/a").documents == documents.count)
      #expect(try there.documents() == documents)
      try await there.export(to: "\(folder)/b")
      let file = ExportManifest.file(of: "(default)")
      #expect(try read("\(folder)/a/\(file)") == read("\(folder)/b/\(file)"))
      // The store already has the documents, so the import changes nothing.
      try await here.load("\(folder)/a")
      #expect(try here.documents() == documents)
    }
  }

  @Test(arguments: [3, 4] as [UInt64])
  func `Google's format preserves documents`(seed: UInt64) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let (here, there) = (Side(), Side())
      var generator = DocumentGenerator(seed: seed)
      try await here.put(try generator.documents(400))
      let documents = try here.documents()
      #expect(try await here.export(to: "\(folder)/a", .google).documents == documents.count)
      #expect(try await there.load("\(folder)/a").documents == documents.count)
      let loaded = try there.documents()
      #expect(loaded.map(\.timeless) == documents.map(\.timeless))
      #expect(loaded.allSatisfy { $0.createTime != nil && $0.createTime == $0.updateTime })
      try await there.export(to: "\(folder)/b", .google)
      let file = "firestore_export/all_namespaces/all_kinds/output-0"
      #expect(try read("\(folder)/a/\(file)") == read("\(folder)/b/\(file)"))
    }
  }

  @Test(arguments: ExportFormat.allCases)
  func `both formats preserve the types of Enterprise databases`(
    _ format: ExportFormat
  ) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let (here, there) = (Side(), Side())
      let database = DatabaseName(project: project, database: "enterprise-1")
      let fields: Fields = [
        "min": ["__min__": .null], "max": ["__max__": .null], "int": ["__int__": 7],
        "decimal": ["__decimal128__": "1.50"],
        "time": ["__request_timestamp__": ["seconds": 7, "increment": 2]],
        "binary": ["__binary__": .bytes(Data([0, 1, 2]))],
        "id": ["__oid__": "0123456789abcdef01234567"],
        "pattern": ["__regex__": ["pattern": "^a", "options": "i"]],
      ]
      try await here.put(
        [Document(name: try documentName("c/x", in: database), fields: fields)],
        in: database
      )
      try await here.export(to: "\(folder)/a", format)
      try await there.load("\(folder)/a")
      #expect(try there.documents(of: database).map(\.fields) == [fields])
    }
  }

  @Test func `an export contains every database, whatever its id`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let (here, there) = (Side(), Side())
      let ids = ["(default)", "default", "..", "a b", "é\n", "A", "%41"]
      for id in ids {
        let database = DatabaseName(project: project, database: id)
        let document = Document(
          name: try documentName("c/x", in: database),
          fields: ["id": .string(id)]
        )
        try await here.put([document], in: database)
      }
      #expect(try await here.export(to: "\(folder)/a").databases.count == ids.count)
      try await there.load("\(folder)/a")
      for id in ids {
        let database = DatabaseName(project: project, database: id)
        #expect(try there.documents(of: database).map(\.fields) == [["id": .string(id)]])
      }
      // If an export has a single database, an import may write it to another one.
      try await here.export(to: "\(folder)/b", databases: ["a b"])
      let other = Side()
      try await other.load("\(folder)/b", database: "else")
      #expect(other.store.databases.map(\.database) == ["else"])
      #expect(
        try await Side().refusal(of: "\(folder)/a", database: "else")?.message
          == "\(folder)/a contains 7 databases: import it without --database else"
      )
      let error = await #expect(throws: StatusError.self) {
        try await here.export(to: "\(folder)/c", .google)
      }
      #expect(error?.message.contains("choose one with --database") == true)
      try await here.export(to: "\(folder)/c", .google, databases: ["a b"])
      let third = Side()
      try await third.load("\(folder)/c/firebase-export-metadata.json")
      #expect(third.store.databases.map(\.database) == ["a b"])
    }
  }

  @Test(arguments: ExportFormat.allCases)
  func `an empty store is exported and imported`(_ format: ExportFormat) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let side = Side()
      let exported = try await side.export(to: "\(folder)/a", format)
      let loaded = try await side.load("\(folder)/a")
      #expect((exported.documents, loaded.documents) == (0, 0))
      #expect(side.store.databases.isEmpty)
    }
  }

  @Test func `an export reads one snapshot, even if documents are written meanwhile`() async throws
  {
    let side = Side()
    for index in 0..<600 { try await side.set("c/\(index)", ["v": 1]) }
    var snapshot = DatabaseSnapshot(of: side.store)
    var seen: [Document] = []
    try snapshot.read(defaultDatabase) { document throws(StatusError) in
      if seen.isEmpty {
        for index in 0..<600 {
          _ = try side.store.attemptCommit(
            [Write(.update(Document(name: Self.numbered(index), fields: ["v": 2])))],
            in: defaultDatabase
          )
        }
      }
      seen.append(document)
    }
    #expect(seen.count == 600)
    #expect(seen.allSatisfy { $0.fields == ["v": 1] })
  }

  @Test func `an export restarts if its snapshot is no longer available`() async throws {
    var limits = Store.Limits()
    limits.historyBytes = 0
    let side = Side(Store(limits: limits))
    for index in 0..<600 { try await side.set("c/\(index)", ["v": 1]) }
    var (attempts, seen) = (0, 0)
    try DataTransfer.repeated { () throws(StatusError) in
      attempts += 1
      seen = 0
      var snapshot = DatabaseSnapshot(of: side.store)
      try snapshot.read(defaultDatabase) { _ throws(StatusError) in
        if attempts == 1, seen == 0 {
          _ = try side.store.attemptCommit(
            [Write(.update(Document(name: Self.numbered(1), fields: ["v": 2])))],
            in: defaultDatabase
          )
        }
        seen += 1
      }
    }
    #expect((attempts, seen) == (2, 600))
    attempts = 0
    #expect(throws: StatusError(.aborted, "again")) {
      try DataTransfer.repeated { () throws(StatusError) in
        attempts += 1
        throw StatusError(.aborted, "again")
      }
    }
    #expect(attempts == DataTransfer.exportAttempts)
  }

  private static func numbered(_ index: Int) throws(StatusError) -> DocumentName {
    try DocumentName(database: defaultDatabase, path: ResourcePath("c/\(index)"))
  }
}
