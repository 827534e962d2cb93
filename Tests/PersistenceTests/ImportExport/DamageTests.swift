import Core
import Cryptography
import FirestoreModel
import Store
import TestKit
import Testing

@testable import Persistence

/// Incomplete exports. The import must fail with a one-line error before it imports anything.
@Suite(.timeLimit(.minutes(10)))
struct DamageTests {
  /// Writes an export that is small enough to truncate it at every byte.
  ///
  /// It has two databases in this package's format, or one in Google's.
  private func makeExport(_ folder: String, _ format: ExportFormat) async throws {
    let side = Side()
    try await side.set("c/a", ["v": 1, "m": ["x": .array([1, "two"])]])
    try await side.set("c/b", ["t": "text"])
    if format == .ndjson {
      let other = DatabaseName(project: project, database: "other")
      try await side.put(
        [Document(name: try documentName("c/x", in: other), fields: [:])],
        in: other
      )
    }
    try await side.export(to: folder, format)
  }

  @Test(arguments: ExportFormat.allCases)
  func `an export with a file truncated anywhere is refused`(_ format: ExportFormat) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let export = "\(folder)/export"
      try await makeExport(export, format)
      for file in try files(below: export) {
        let whole = try read("\(export)/\(file)")
        // The line feed at the end of the manifest may be missing.
        let isManifest = file == ExportManifest.fileName
        for count in 0..<(whole.count - (isManifest ? 1 : 0)) {
          try write(whole.prefix(count), to: "\(export)/\(file)")
          let error = try await Side().refusal(of: export)
          #expect(error != nil && error?.code != .internal, "\(file) of \(count) bytes")
          #expect(error?.message.contains("\n") == false)
        }
        try FileManager.default.removeItem(atPath: "\(export)/\(file)")
        #expect(try await Side().refusal(of: export) != nil, "without \(file)")
        try write(whole, to: "\(export)/\(file)")
      }
      #expect(try await Side().load(export).documents == (format == .ndjson ? 3 : 2))
    }
  }

  @Test(arguments: ExportFormat.allCases)
  func `documents with one wrong byte are refused`(_ format: ExportFormat) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let export = "\(folder)/export"
      try await makeExport(export, format)
      let documents = try files(below: export).filter {
        $0.hasSuffix(".ndjson") || $0.hasSuffix("output-0")
          || $0.hasSuffix("overall_export_metadata")
      }
      for file in documents {
        let whole = try read("\(export)/\(file)")
        for index in whole.indices {
          var changed = whole
          changed[index] ^= [0x01, 0x80, 0xFF][index % 3]
          try write(changed, to: "\(export)/\(file)")
          #expect(try await Side().refusal(of: export) != nil, "\(file), byte \(index)")
        }
        try write(whole, to: "\(export)/\(file)")
      }
    }
  }

  @Test(arguments: [
    (#""documents" : 2"#, #""documents" : 3"#, "has 2 documents, but the manifest says 3"),
    (#""documents" : 2"#, #""documents" : -1"#, "has 2 documents, but the manifest says -1"),
    (#""documents" : 2"#, #""documents" : "2""#, "has the wrong type"),
    (#""sha256" : ""#, #""sha256" : "0"#, "is damaged"),
    (#""version" : 1"#, #""version" : 2"#, "has version 2, but this emulator reads only version 1"),
    ("worldchat-export", "else", "has another format"),
    ("(default).ndjson", "../default.ndjson", "is not the name of a file in the same folder"),
    ("(default).ndjson", "..", "is not the name of a file in the same folder"),
    ("(default).ndjson", "", "is not the name of a file in the same folder"),
    ("(default).ndjson", "other.ndjson", "is not the name of a file in the same folder"),
    ("(default).ndjson", "a\\u0000b", "is not the name of a file in the same folder"),
    ("(default).ndjson", "missing.ndjson", "missing.ndjson can't be read"),
    (#""database" : "other""#, #""database" : "a/b""#, "Database name"),
    (#""database" : "other""#, #""database" : """#, "Database name"),
    (#""database" : "other""#, #""database" : "(default)""#, "contains database (default) twice"),
  ])
  func `a manifest with a wrong value is refused`(
    _ part: String,
    _ other: String,
    _ message: String
  ) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      try await makeExport("\(folder)/export", .ndjson)
      let path = "\(folder)/export/worldchat-export.json"
      let text = String(decoding: try read(path), as: UTF8.self)
      try write(Data(text.replacing(part, with: other, maxReplacements: 1).utf8), to: path)
      let error = try await Side().refusal(of: "\(folder)/export")
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "none")")
    }
  }

  @Test(arguments: [
    (#"{"name":"c","fields":{}}"#, "even number of segments"),
    (#"{"name":"","fields":{}}"#, "even number of segments"),
    (#"{"name":"c/..","fields":{}}"#, "is invalid"),
    (#"{"name":"c//x/y","fields":{}}"#, "empty"),
    (#"{"name":"__c__/x","fields":{}}"#, "reserved"),
    (#"{"name":"c/0","fields":{}}"#, "its name does not come after the name in the line before"),
    (#"{"name":"c/a","fields":{"":{"nullValue":null}}}"#, "empty"),
    (#"{"name":"c/a","fields":{"__x__":{"nullValue":null}}}"#, "reserved"),
    (#"{"name":"c/a","fields":{"v":{}}}"#, "type unset"),
    (
      #"{"name":"c/a","fields":{"v":{"integerValue":"x"}}}"#,
      "has something else where a number belongs"
    ),
    (#"{"name":"c/a","fields":{"v":{"moneyValue":"1"}}}"#, "moneyValue"),
    (#"{"name":"c/a","fields":{"v":{"timestampValue":"1"}}}"#, "RFC 3339"),
    (#"{"name":"c/a","fields":{"v":{"referenceValue":"x"}}}"#, "Document name"),
    (#"{"name":"c/a","fields":{"v":{"geoPointValue":{"latitude":91}}}}"#, "latitude"),
    (
      #"{"name":"c/a","fields":{"v":{"mapValue":{"fields":{"__int__":{"integerValue":"1"}}}}}}"#,
      "reserved"
    ),
    (#"{"name":"c/a","fields":{},"id":1}"#, #"has the unknown name "id""#),
    (#"{"name":"c/a","fields":{},"createTime":1}"#, "where a string belongs"),
    ("[]", "a value of the wrong type"), ("", "is not valid JSON"),
    ("{", "is not valid JSON"),
    (
      #"{"name":"c/a","fields":{"v":{"arrayValue":{"values":["#
        + String(repeating: #"{"mapValue":{"fields":{"a":"#, count: 30) + #"{"nullValue":null}"#
        + String(repeating: "}}}", count: 30) + "]}}}}", "nested entity"
    ),
  ])
  func `an error locates a bad line by file and number`(_ line: String, _ message: String)
    async throws
  {
    try await withTemporaryFolder(inMemory: true) { folder in
      let lines = Data((#"{"name":"c/0","fields":{}}"# + "\n" + line + "\n").utf8)
      try write(lines, to: "\(folder)/(default).ndjson")
      try writeManifest(folder, of: lines, documents: 2)
      let error = try await Side().refusal(of: folder)
      #expect(error?.code == .invalidArgument)
      #expect(
        error?.message.hasPrefix("\(folder)/(default).ndjson, line 2, ") == true
          && error?.message.contains(message) == true,
        "\(error?.message ?? "none")"
      )
    }
  }

  @Test func `a line that isn't UTF-8 is refused`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let line = Data(#"{"name":"c/"#.utf8) + [0xC3, 0x28] + Data(#"","fields":{}}"#.utf8 + [0x0A])
      try write(line, to: "\(folder)/(default).ndjson")
      try writeManifest(folder, of: line, documents: 1)
      let error = try await Side().refusal(of: folder)
      #expect(
        error?.message
          == "\(folder)/(default).ndjson, line 1, has something other than a valid string where a string belongs"
      )
    }
  }

  @Test func `a folder or file that isn't an export is refused`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      #expect(
        try await Side().refusal(of: "\(folder)/none")
          == StatusError(.notFound, "\(folder)/none: there is no export to import")
      )
      #expect(try await Side().refusal(of: folder)?.message.contains("contains no export") == true)
      try write(Data(), to: "\(folder)/a.txt")
      #expect(
        try await Side().refusal(of: "\(folder)/a.txt")?.message.contains("is not an export")
          == true
      )
      for name in ["a", "b"] { try write(Data(), to: "\(folder)/\(name).overall_export_metadata") }
      #expect(try await Side().refusal(of: folder)?.message.contains("several exports") == true)
      try write(Data("{}".utf8), to: "\(folder)/firebase-export-metadata.json")
      #expect(
        try await Side().refusal(of: folder)?.message.contains("version") == true
      )
      for (metadata, message) in [
        (#"{"version":"1"}"#, "has no data of any service"),
        (
          #"{"version":"1","firestore":{"version":"1","path":"x","metadata_file":"../x"}}"#,
          "is not in the export's folder"
        ),
        (
          #"{"version":"1","firestore":{"version":"1","path":"x","metadata_file":"/x"}}"#,
          "is not in the export's folder"
        ),
        (
          #"{"version":"1","firestore":{"version":"1","path":"x","metadata_file":"x"}}"#,
          "x can't be read"
        ),
      ] {
        try write(Data(metadata.utf8), to: "\(folder)/firebase-export-metadata.json")
        let error = try await Side().refusal(of: folder)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "none")")
      }
      #expect(mkfifo("\(folder)/worldchat-export.json", 0o600) == 0)
      #expect(try await Side().refusal(of: folder)?.message.contains("is not a file") == true)
    }
  }
}

extension DamageTests {
  private func writeManifest(_ folder: String, of lines: Data, documents: Int) throws {
    try ExportManifest(
      project: project,
      time: .now,
      databases: [
        .init(
          database: "(default)",
          file: "(default).ndjson",
          documents: documents,
          sha256: SHA256.hexadecimal(lines)
        )
      ],
      services: []
    ).write(to: "\(folder)/worldchat-export.json")
  }
}
