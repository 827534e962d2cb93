import Core
import FirestoreModel
import GRDB
import Persistence
import Store
import TestKit
import Testing

/// Invalid files. They must be refused with a clear error, and must not be changed.
@Suite(.timeLimit(.minutes(10)))
struct RefusalTests {
  /// Runs `body` with a folder whose documents are partly in the table and partly in the log.
  private static func withData(
    _ body: @Sendable (_ folder: String, _ file: String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      try await withRun(data) { run in
        for id in 0..<100 {
          let text = Value.string("some text of number \(id)")
          try await run.commit(.set("c/\(id)", ["text": text, "n": 1]))
        }
      }
      try await withRun(data, closes: false) { run in
        for id in 0..<40 { try await run.commit(.set("c/\(id)", ["n": 2])) }
      }
      // This waits until no thread uses the folder.
      _ = try await taken(data)
      try await body(data, "\(data)/firestore.sqlite")
    }
  }

  private static func refusal(_ folder: String) throws -> StatusError {
    let before = try content(of: folder)
    let error = #expect(throws: StatusError.self) { _ = try DurableStore(in: DataFolder(folder)) }
    #expect(try content(of: folder) == before, "a file was changed")
    return try #require(error)
  }

  private static func overwrite(_ file: String, at offset: Int, _ bytes: [UInt8]) throws {
    let handle = open(file, O_RDWR | O_CLOEXEC)
    defer { close(handle) }
    #expect(pwrite(handle, bytes, bytes.count, off_t(offset)) == bytes.count)
  }

  @Test func `a deleted folder accepts no more writes`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      try await withRun("\(folder)/data", closes: false) { run in
        try await run.commit(.set("c/a"))
        try FileManager.default.removeItem(atPath: "\(folder)/data")
        let error = await #expect(throws: StatusError.self) { try await run.commit(.set("c/b")) }
        #expect(error?.message.contains("\(folder)/data was deleted") == true)
        #expect(try run.documents().keys.map(\.id) == ["a"])
      }
    }
  }

  @Test func `a file of format 1 is migrated to format 2 with everything in it`() async throws {
    try await Self.withData { folder, file in
      func query<Result: Sendable>(
        _ body: @escaping @Sendable (GRDB.Database) throws -> Result
      ) throws -> Result {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.write(body)
      }
      try query { try $0.execute(sql: "DROP TABLE record; PRAGMA user_version = 1") }
      let count = try await withRun(folder) { run in try run.documents().count }
      #expect(count == 100)
      let version = try query { try Int.fetchOne($0, sql: "PRAGMA user_version") }
      let records = try query { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM record") }
      #expect(version == 2 && records == 0)
    }
  }

  @Test func `a file of a newer format is refused`() async throws {
    try await Self.withData { folder, file in
      try Self.overwrite(file, at: 60, [0, 0, 0, 3])
      let error = try Self.refusal(folder)
      #expect(error.code == .failedPrecondition)
      #expect(
        error.message.contains("\(file) has format 3, but this emulator reads only formats 1 to 2")
      )
    }
  }

  @Test(arguments: ["SQLite", "text", "nothing"])
  func `a file of another program is refused`(kind: String) async throws {
    try await Self.withData { folder, file in
      switch kind {
      case "SQLite": try Self.overwrite(file, at: 68, [1, 2, 3, 4])
      case "text": try Data("A diary, not a database.\n".utf8).write(to: URL(filePath: file))
      default: try Data().write(to: URL(filePath: file))
      }
      let error = try Self.refusal(folder)
      #expect(error.message.contains("\(file) is not a file of this emulator"))
    }
  }

  @Test func `a file without its beginning or its end is refused`() async throws {
    try await Self.withData { folder, file in
      let whole = try Data(contentsOf: URL(filePath: file))
      for count in [50, 4_096, 5_000, whole.count / 2, whole.count - 4_096, whole.count - 1] {
        try whole.prefix(count).write(to: URL(filePath: file))
        let error = try Self.refusal(folder)
        #expect(error.message.contains(file), "cut at \(count)")
      }
    }
  }

  @Test func `a log of pages without its file is refused`() async throws {
    try await Self.withData { folder, file in
      try FileManager.default.removeItem(atPath: file)
      try Data([1]).write(to: URL(filePath: "\(file)-wal"))
      #expect(try Self.refusal(folder).message.contains("\(file)-wal exists, but"))
    }
  }

  /// Flips random bits. Either the damage is detected, or it is in a part without content.
  @Test(arguments: 1...5)
  func `a damaged file is refused or read correctly`(seed: UInt64) async throws {
    try await Self.withData { folder, file in
      // Closing the store moves all content from the log to the database file.
      let whole = try await withRun(folder) { run in try run.documents() }
      let intact = try Data(contentsOf: URL(filePath: file))
      var dice = Dice(seed: seed)
      var refusals = 0
      for _ in 0..<40 {
        var damaged = intact
        for _ in 0..<8 { damaged[dice.number(below: intact.count)] ^= 1 << dice.number(below: 8) }
        try damaged.write(to: URL(filePath: file))
        guard let durable = try? DurableStore(in: DataFolder(folder)) else {
          refusals += 1
          #expect(try Data(contentsOf: URL(filePath: file)) == damaged, "the file was changed")
          continue
        }
        let documents = durable.contents.documents.values.flatMap(\.self)
        #expect(Dictionary(uniqueKeysWithValues: documents.map { ($0.name, $0) }) == whole)
        durable.journal.close()
      }
      #expect(refusals > 20)
    }
  }

  @Test func `a folder that can't be used is refused`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      try Data().write(to: URL(filePath: "\(folder)/file"))
      let unusable = "can't be used for data"
      for path in ["\(folder)/file", "\(folder)/file/data", "\(folder)/no/data", "/proc/data"] {
        let error = #expect(throws: StatusError.self) { _ = try DataFolder(path) }
        #expect(error?.message.contains("\(path) \(unusable)") == true)
      }
    }
  }

  @Test(.enabled(if: getuid() != 0, "root may read every folder"))
  func `a folder without permission is refused`() async throws {
    try await Self.withData { folder, file in
      defer { chmod(folder, 0o700) }
      #expect(chmod(file, 0o000) == 0 && chmod(folder, 0o500) == 0)
      let error = #expect(throws: StatusError.self) { _ = try DurableStore(in: DataFolder(folder)) }
      #expect(error?.message.contains("Permission denied") == true)
    }
  }

  @Test func `a folder is created for its owner alone and can be locked once only`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let path = "\(folder)/data"
      let taken = try await taken(path)
      let durable = try DurableStore(in: taken)
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
      #expect(stat("\(path)/firestore.sqlite", &status) == 0 && status.st_mode & 0o777 == 0o600)
      let error = #expect(throws: StatusError.self) { _ = try DataFolder(path) }
      #expect(
        error?.message.contains("is in use by the emulator with process id \(getpid())") == true
      )
      durable.journal.close()
    }
  }
}
