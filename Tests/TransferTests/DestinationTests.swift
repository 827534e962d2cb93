import FirestoreModel
import Platform
import RPCStatus
import TestKit
import Testing

@testable import Transfer

/// Where an export may go, and that what is there stays until the new one is whole.
struct DestinationTests {
  @Test func `the working folder and what is around it are refused`() async throws {
    try await withTemporaryFolder { folder in
      let working = "\(folder)/work/here"
      try FileManager.default.createDirectory(
        atPath: working,
        withIntermediateDirectories: true
      )
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link",
        withDestinationPath: "\(folder)/work"
      )
      for path in [".", "..", "../..", working, "\(folder)/work/", "\(folder)/link", "/"] {
        let error = #expect(throws: StatusError.self) {
          try ExportDestination(path, workingDirectory: working)
        }
        #expect(error?.message.contains("is the working folder or around it") == true, "\(path)")
      }
      for path in ["new", "./new", "../beside", "\(folder)/link/new", "../here2"] {
        _ = try ExportDestination(path, workingDirectory: working)
      }
    }
  }

  @Test func `what is no export is not replaced`() async throws {
    try await withTemporaryFolder { folder in
      let side = Side()
      try FileManager.default.createDirectory(
        atPath: "\(folder)/full",
        withIntermediateDirectories: true
      )
      try write(Data("mine".utf8), to: "\(folder)/full/notes.txt")
      try write(Data("mine".utf8), to: "\(folder)/file")
      for (path, message) in [
        ("full", "is not empty and holds no export"), ("file", "is not a folder"),
        ("none/there", "there is no folder"),
      ] {
        let error = await #expect(throws: StatusError.self) {
          try await side.export(to: "\(folder)/\(path)")
        }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "none")")
      }
      try await side.export(to: "\(folder)/export")
      try write(Data("mine".utf8), to: "\(folder)/export/notes.txt")
      let error = await #expect(throws: StatusError.self) {
        try await side.export(to: "\(folder)/export")
      }
      #expect(error?.message.contains("holds notes.txt, which is no part of an export") == true)
      #expect(try read("\(folder)/export/notes.txt") == Data("mine".utf8))
      #expect(try files(below: folder).count == 4)
    }
  }

  /// Linux has one that is always there.
  @Test(.enabled(if: access("/dev/shm", F_OK) == 0, "there is no /dev/shm"))
  func `a place where a file system is mounted is refused`() throws {
    let error = #expect(throws: StatusError.self) {
      try ExportDestination("/dev/shm", workingDirectory: "/nowhere")
    }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("is where a file system is mounted") == true)
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a folder without permission is said`() async throws {
    try await withTemporaryFolder { folder in
      let side = Side()
      try await side.export(to: "\(folder)/export")
      for (path, mode) in [(folder, 0o500), ("\(folder)/export", 0o500)] as [(String, mode_t)] {
        #expect(chmod(path, mode) == 0)
        let error = await #expect(throws: StatusError.self) {
          try await side.export(to: "\(folder)/export")
        }
        #expect(error?.code == .permissionDenied)
        #expect(error?.message.contains("Permission denied") == true)
        #expect(chmod(path, 0o700) == 0)
      }
      #expect(chmod("\(folder)/export/worldchat-export.json", 0) == 0)
      let error = try await Side().refusal(of: "\(folder)/export")
      #expect(error?.code == .permissionDenied)
    }
  }

  @Test(arguments: ExportFormat.allCases)
  func `an export replaces one of either format`(_ format: ExportFormat) async throws {
    try await withTemporaryFolder { folder in
      let side = Side()
      for old in ExportFormat.allCases {
        try await side.set("c/a", ["v": .string(old.rawValue)])
        try await side.export(to: "\(folder)/export", old)
        try await side.set("c/b", ["v": .string(format.rawValue)])
        try await side.export(to: "\(folder)/export", format)
        let other = Side()
        try await other.load("\(folder)/export")
        #expect(try other.documents().map(\.timeless) == side.documents().map(\.timeless))
      }
      // An empty folder is as good as none.
      try FileManager.default.createDirectory(
        atPath: "\(folder)/empty",
        withIntermediateDirectories: true
      )
      try await side.export(to: "\(folder)/empty", format)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["empty", "export"]
      )
    }
  }

  @Test func `an export that fails leaves the old one and nothing else`() async throws {
    try await withTemporaryFolder { folder in
      let side = Side()
      try await side.set("c/a", ["v": 1])
      try await side.export(to: "\(folder)/export")
      let before = try files(below: folder).map { try read("\(folder)/\($0)") }
      let destination = try ExportDestination("\(folder)/export", workingDirectory: "/nowhere")
      #expect(throws: StatusError(.resourceExhausted, "full")) {
        try destination.replace { new throws(StatusError) in
          let file = try FileOutput(path: "\(new)/worldchat-export.json")
          try file.write(Data("half".utf8))
          throw StatusError(.resourceExhausted, "full")
        }
      }
      #expect(try files(below: folder).map { try read("\(folder)/\($0)") } == before)
    }
  }

  @Test func `what killed exports left is cleared away, and of living ones kept`() async throws {
    try await withTemporaryFolder { folder in
      // Process 1 is always there; there are no processes of this number.
      for process in ["1", "2000000000", "x"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/.export.export-\(process)",
          withIntermediateDirectories: true
        )
      }
      try await Side().export(to: "\(folder)/export")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == [".export.export-1", ".export.export-x", "export"]
      )
    }
  }
}
