import Core
import FirestoreModel
import Synchronization
import TestKit
import Testing

@testable import Persistence

/// The folders to which an export may be written, and the replacement of an old export by a
/// complete new one.
struct DestinationTests {
  @Test func `the working folder and its ancestors are refused`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let working = "\(folder)/srv/project"
      try makeFolder(working)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link",
        withDestinationPath: "\(folder)/srv"
      )
      for path in [".", "..", "../..", working, "\(folder)/srv/", "\(folder)/link", "/"] {
        let error = #expect(throws: StatusError.self) {
          try ExportDestination(path, workingDirectory: working)
        }
        #expect(error?.message.contains("is the working folder or contains it") == true, "\(path)")
      }
      for path in ["new", "./new", "../beside", "\(folder)/link/new", "../project2"] {
        _ = try ExportDestination(path, workingDirectory: working)
      }
    }
  }

  @Test func `a folder that isn't an export is not replaced`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let side = Side()
      try makeFolder("\(folder)/full")
      try write(Data("mine".utf8), to: "\(folder)/full/notes.txt")
      try write(Data("mine".utf8), to: "\(folder)/file")
      for (path, message) in [
        ("full", "is not empty and contains no export"), ("file", "is not a folder"),
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
      #expect(error?.message.contains("contains notes.txt, which is not part of an export") == true)
      #expect(try read("\(folder)/export/notes.txt") == Data("mine".utf8))
      #expect(try files(below: folder).count == 4)
    }
  }

  /// The test needs `/dev/shm`, which is a mount point on Linux.
  @Test(.enabled(if: access("/dev/shm", F_OK) == 0, "there is no /dev/shm"))
  func `a mount point is refused`() throws {
    let error = #expect(throws: StatusError.self) {
      try ExportDestination("/dev/shm", workingDirectory: "/nowhere")
    }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("is a mount point") == true)
  }

  @Test(.enabled(if: getuid() != 0, "root may write to every folder"))
  func `an error names a folder without permission`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
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
    try await withTemporaryFolder(inMemory: true) { folder in
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
      // An export may replace an empty folder.
      try makeFolder("\(folder)/empty")
      try await side.export(to: "\(folder)/empty", format)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["empty", "export"]
      )
    }
  }

  @Test func `an export that fails leaves only the old one`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
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

  @Test func `an export deletes leftovers of killed processes and keeps those of running ones`()
    async throws
  {
    try await withTemporaryFolder(inMemory: true) { folder in
      // Process 1 always exists. No process has the ID 2000000000.
      for process in ["1", "2000000000", "x"] {
        try makeFolder("\(folder)/.export.export-\(process)")
      }
      try await Side().export(to: "\(folder)/export")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == [".export.export-1", ".export.export-x", "export"]
      )
    }
  }
}

/// The files at each sync of an export. A power cut could leave the disk in each of these states.
struct DestinationSyncTests {
  /// A record of each sync: the folder, the export's content at that moment, and the number of
  /// entries in its parent folder.
  private final class Log: Sendable {
    let entries = Mutex<[(folder: String, content: String, entries: Int)]>([])
  }

  private static func destination(
    _ path: String,
    in folder: String,
    _ log: Log
  ) throws -> ExportDestination {
    var destination = try ExportDestination(path, workingDirectory: "/nowhere")
    destination.sync = { synced in
      let marker = try? read("\(path)/\(ExportManifest.fileName)")
      let beside = try? FileManager.default.contentsOfDirectory(atPath: folder)
      log.entries.withLock {
        $0.append((synced, String(decoding: marker ?? Data(), as: UTF8.self), beside?.count ?? 0))
      }
      return syncFolder(synced)
    }
    return destination
  }

  private static func fill(_ folder: String, _ content: String) throws(StatusError) {
    for path in ["\(folder)/b", "\(folder)/b/c", "\(folder)/a"] {
      guard mkdir(path, 0o700) == 0 else { throw .file(path, "can't be made") }
    }
    let file = try FileOutput(path: "\(folder)/\(ExportManifest.fileName)")
    try file.write(Data(content.utf8))
    _ = try file.finish()
  }

  @Test func `the old export stays until the new one is on the disk`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let log = Log()
      let destination = try Self.destination("\(folder)/export", in: folder, log)
      for content in ["old", "new"] {
        log.entries.withLock { $0 = [] }
        // The extra files are removed, because only an export may be replaced.
        for name in ["a", "b"] {
          try? FileManager.default.removeItem(atPath: "\(folder)/export/\(name)")
        }
        try destination.replace { new throws(StatusError) in try Self.fill(new, content) }
        let entries = log.entries.withLock(\.self)
        let new = "\(destination.path.dropLast("export".count)).export.export-\(getpid())"
        #expect(entries.dropLast().map(\.folder) == ["/b/c", "/b", "/a", ""].map { new + $0 })
        let before = content == "old" ? "" : "old"
        #expect(entries.dropLast().allSatisfy { $0.content == before })
        // After the swap, the old export has a temporary name.
        #expect(entries.last.map { new.hasPrefix("\($0.folder)/.") } == true)
        #expect(entries.last?.content == content)
        #expect(entries.last?.entries == (content == "old" ? 1 : 2))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["export"])
      }
    }
  }

  @Test(arguments: [true, false])
  func `a folder that can't be synced makes the export fail`(isParent: Bool) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let log = Log()
      let path = "\(folder)/export"
      for before in [nil, "old"] {
        if let before {
          try Self.destination(path, in: folder, log)
            .replace { new throws(StatusError) in
              let file = try FileOutput(path: "\(new)/\(ExportManifest.fileName)")
              try file.write(Data(before.utf8))
              _ = try file.finish()
            }
        }
        var destination = try Self.destination(path, in: folder, log)
        destination.sync = { synced in
          errno = EIO
          return synced.contains("/.export.export-") == isParent
        }
        let error = #expect(throws: StatusError.self) {
          try destination.replace { new throws(StatusError) in try Self.fill(new, "new") }
        }
        #expect(error?.message.contains("can't be written: Input/output error") == true)
        let found = try? read("\(path)/\(ExportManifest.fileName)")
        #expect(found == before.map { Data($0.utf8) })
      }
    }
  }

  @Test func `an old export from an interrupted two-step swap is put back or deleted`() async throws
  {
    try await withTemporaryFolder(inMemory: true) { folder in
      let side = Side()
      try await side.set("c/a", ["v": 1])
      try await side.export(to: "\(folder)/export")
      let aside = "\(folder)/.export.export-2000000000.old"
      #expect(rename("\(folder)/export", aside) == 0)
      let destination = try ExportDestination("\(folder)/export", workingDirectory: "/nowhere")
      #expect(throws: StatusError(.resourceExhausted, "full")) {
        try destination.replace { _ throws(StatusError) in
          throw StatusError(.resourceExhausted, "full")
        }
      }
      // The file set aside was the only copy of the old export.
      let other = Side()
      try await other.load("\(folder)/export")
      #expect(try other.documents().count == 1)
      try FileManager.default.copyItem(atPath: "\(folder)/export", toPath: aside)
      try await side.export(to: "\(folder)/export")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["export"])
    }
  }
}
