import Core
import FirestoreModel
import FirestoreProtos
import Store
import SwiftProtobuf
import TestKit
import Testing

@testable import Persistence

/// Valid and malformed exports in Google's format.
struct GoogleFormatTests {
  /// Writes an export with the structure of Google Cloud's: one folder for each collection, and
  /// files of a few documents.
  private func makeExport(
    _ folder: String,
    _ kinds: [String: [[EntityDocument]]],
    count: Int? = nil
  ) throws {
    var overall = EntityOverallExport()
    for (kind, files) in kinds.sorted(by: { $0.key < $1.key }) {
      let below = "all_namespaces/kind_\(kind)"
      try makeFolder("\(folder)/\(below)")
      var metadata = EntityExportedFiles()
      for (index, documents) in files.enumerated() {
        let log = try LogWriter(path: "\(folder)/\(below)/output-\(index)")
        for document in documents { try log.append(document.serializedBytes()) }
        try log.finish()
        if metadata.groups.isEmpty { metadata.groups = [EntityExportedGroup()] }
        metadata.groups[0].files.append("output-\(index)")
      }
      let file = "\(below)/all_namespaces_kind_\(kind).export_metadata"
      try write(metadata.serializedBytes(), to: "\(folder)/\(file)")
      overall.kinds.append(
        .with {
          $0.metadataFile = file
          $0.documentCount = Int64(count ?? files.reduce(0) { $0 + $1.count })
        }
      )
    }
    let log = try LogWriter(path: "\(folder)/2026-11-21T10:00:00_1.overall_export_metadata")
    try log.append(GoogleExport.version)
    try log.append(overall.serializedBytes())
    try log.finish()
  }

  private func entity(
    _ path: [(String, String)],
    app: String = "s~real-project",
    _ change: (inout EntityDocument) -> Void = { _ in }
  ) -> EntityDocument {
    .with {
      $0.key.app = app
      $0.key.path.element = path.map { kind, name in
        .with {
          $0.type = kind
          $0.name = name
        }
      }
      change(&$0)
    }
  }

  private func property(
    _ name: String,
    _ meaning: Int32? = nil,
    multiple: Bool = false,
    _ value: (inout EntityPropertyValue) -> Void = { _ in }
  ) -> EntityProperty {
    .with {
      $0.name = name
      if let meaning { $0.meaning = meaning }
      $0.multiple = multiple
      value(&$0.value)
    }
  }

  @Test(arguments: ["s~real-project", "b~real-project", "dev~real-project"])
  func `a cloud export with many folders, many files and indexed fields is imported`(
    _ app: String
  ) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let first = entity([("users", "a")], app: app) {
        $0.property = [
          property("text", 15) { $0.stringValue = Data("long".utf8) },
          property("short", 16) { $0.stringValue = Data([1]) },
          property("list", multiple: true) { $0.int64Value = 1 },
        ]
        $0.rawProperty = [
          property("list", multiple: true) { $0.int64Value = 2 },
          property("friend") {
            $0.referenceValue.app = app
            $0.referenceValue.pathElement = [
              .with {
                $0.type = "users"
                $0.id = 7
              }
            ]
          },
        ]
      }
      let users = [[first], [entity([("users", "b")], app: app)], []]
      let deep = entity([("rooms", "r"), ("messages", "m")], app: app)
      try makeExport(folder, ["users": users, "messages": [[deep]]])
      let side = Side()
      #expect(try await side.load(folder).documents == 3)
      let documents = try side.documents()
      #expect(
        documents.map(\.name.path.description) == ["rooms/r/messages/m", "users/a", "users/b"]
      )
      #expect(
        documents[1].fields == [
          "text": "long", "short": .bytes(Data([1])), "list": [1, 2],
          "friend": .reference(
            "projects/real-project/databases/(default)/documents/users/__id7__"
          ),
        ]
      )
    }
  }

  @Test func `a wrong count is refused`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      try makeExport(folder, ["c": [[entity([("c", "a")])]]], count: 2)
      let error = try await Side().refusal(of: folder)
      #expect(error?.message.hasSuffix("says that there are 2 documents, but there are 1") == true)
    }
  }

  @Test func `an error locates an entity that can't be a document`() async throws {
    let deep = (0..<100).reduce(EntityDocument()) { inner, _ in
      .with {
        let data: Data = (try? inner.serializedBytes()) ?? Data()
        $0.rawProperty = [property("m", 19) { $0.stringValue = data }]
      }
    }
    let cases: [(EntityDocument, String)] = [
      (EntityDocument(), "even number of segments"),
      (entity([("c", "..")]), "is invalid"),
      (entity([("c", "a/b")]), "contains"),
      (entity([("__kind__", "a")]), "reserved"),
      (entity([("c", "a")]) { $0.key.nameSpace = "n" }, #"its namespace is "n""#),
      (entity([("c", "a")]) { $0.key.path.element[0].clearName() }, "its name is incomplete"),
      (entity([("c", "a")]) { $0.key.databaseID = "d" }, "another database than the first"),
      (entity([("c", "a")]) { $0.rawProperty = [property("v"), property("v")] }, "occurs twice"),
      (
        entity([("c", "a")]) { $0.rawProperty = [property("v"), property("v", multiple: true)] },
        "occurs twice"
      ),
      (
        entity([("c", "a")]) {
          $0.rawProperty = [property("v") { $0.stringValue = Data([0xC3, 0x28]) }]
        }, "is not UTF-8"
      ),
      (
        entity([("c", "a")]) {
          $0.rawProperty = [property("v", 19) { $0.stringValue = Data([0xFF]) }]
        }, "a map in it can't be read"
      ),
      (
        entity([("c", "a")]) {
          $0.rawProperty = [property("v", 7) { $0.int64Value = .max }]
        }, "timestamp"
      ),
      (
        entity([("c", "a")]) {
          $0.rawProperty = [property("v", 31, multiple: true) { $0.int64Value = 1 }]
        }, "Vector"
      ),
      (
        entity([("c", "a")]) {
          $0.rawProperty = [
            property("v") { $0.referenceValue.pathElement = [.with { $0.type = "c" }] }
          ]
        }, "a reference in it is incomplete"
      ),
      (
        entity([("c", "a")]) { $0.rawProperty = deep.rawProperty }, "its maps are nested too deeply"
      ),
    ]
    for (bad, message) in cases {
      try await withTemporaryFolder(inMemory: true) { folder in
        try makeExport(folder, ["c": [[entity([("c", "0")]), bad]]])
        let error = try await Side().refusal(of: folder)
        #expect(
          error?.message.contains("output-0, record 2, is refused: ") == true
            && error?.message.contains(message) == true,
          "\(message): \(error?.message ?? "none")"
        )
      }
    }
  }

  @Test func `a path out of the folder is refused`() async throws {
    for hostile in ["../x", "/etc/passwd", "", "a//b", "a/../../b", "a\u{0}"] {
      try await withTemporaryFolder(inMemory: true) { folder in
        let log = try LogWriter(path: "\(folder)/x.overall_export_metadata")
        try log.append(GoogleExport.version)
        try log.append(
          EntityOverallExport.with { $0.kinds = [.with { $0.metadataFile = hostile }] }
            .serializedBytes()
        )
        try log.finish()
        let error = try await Side().refusal(of: folder)
        #expect(error?.message.hasSuffix("is not in the export's folder") == true)
      }
      try await withTemporaryFolder(inMemory: true) { folder in
        try makeExport(folder, ["c": [[entity([("c", "a")])]]])
        let path = "\(folder)/all_namespaces/kind_c/all_namespaces_kind_c.export_metadata"
        try write(
          EntityExportedFiles.with { $0.groups = [.with { $0.files = [hostile] }] }
            .serializedBytes(),
          to: path
        )
        let error = try await Side().refusal(of: folder)
        #expect(error?.message.hasSuffix("is not in the export's folder") == true)
      }
    }
  }
}
