import Core
import FirestoreModel
import GRDB
import Store
import TestKit
import Testing

@testable import Persistence

/// Commits in SQLite's write-ahead log, which must be as durable as those in its database file.
@Suite(.timeLimit(.minutes(10)))
struct WriteAheadLogTests {
  private static let headerBytes = 32
  private static let frameBytes = 24 + 4_096
  private static let commits = 15

  /// The files that a run leaves when it is killed with SIGKILL after some commits.
  private struct Killed {
    let file: Data
    let log: Data

    init() async throws {
      (file, log) = try await withTemporaryFolder(inMemory: true) { folder in
        let data = "\(folder)/data"
        try await withRun(data) { _ in }
        return try await withRun(data) { run in
          // Some commits write one page, and others write several.
          for id in 0..<commits {
            let text = Value.string(String(repeating: "x", count: id % 3 * 4_000))
            try await run.commit(.set("c/\(id)", ["t": text]))
          }
          return try Self.files(of: data)
        }
      }
    }

    /// Returns the content of the files while they are open. SQLite would delete the log when it
    /// closes them.
    static func files(of folder: String) throws -> (file: Data, log: Data) {
      (
        try Data(contentsOf: URL(filePath: "\(folder)/firestore.sqlite")),
        try Data(contentsOf: URL(filePath: "\(folder)/firestore.sqlite-wal"))
      )
    }

    init(_ files: (file: Data, log: Data)) { (file, log) = files }

    var frames: Int { (log.count - headerBytes) / frameBytes }

    /// Returns a Boolean value that indicates whether a frame is the last of its transaction.
    func isEnd(_ frame: Int) -> Bool {
      let start = headerBytes + frame * frameBytes
      return log[start + 4..<start + 8].contains { $0 != 0 }
    }

    /// The number of frames before the last transaction.
    var settledFrames: Int { ((0..<frames - 1).last(where: isEnd) ?? -1) + 1 }

    func write(to folder: String, log: Data) throws {
      try? FileManager.default.removeItem(atPath: folder)
      try makeFolder(folder)
      try file.write(to: URL(filePath: "\(folder)/firestore.sqlite"))
      try log.write(to: URL(filePath: "\(folder)/firestore.sqlite-wal"))
    }
  }

  private static func flipped(_ log: Data, at offset: Int, bit: Int = 7) -> Data {
    var log = log
    log[offset] ^= 1 << bit
    return log
  }

  private static func refusal(_ folder: String) throws -> StatusError {
    let before = try content(of: folder)
    let error = #expect(throws: StatusError.self) { _ = try DurableStore(in: DataFolder(folder)) }
    #expect(try content(of: folder) == before, "a file was changed")
    return try #require(error)
  }

  @Test func `a flipped bit before the last transaction is refused`() async throws {
    let killed = try await Killed()
    #expect(killed.settledFrames > Self.commits)
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      var dice = Dice(seed: 1)
      // These are the offsets of the page number, commit mark, salts, checksums, and first and last
      // byte of the page.
      let fields = [0, 4, 8, 12, 16, 20, 24, Self.frameBytes - 1]
      for frame in 0..<killed.settledFrames {
        for field in fields + [24 + dice.number(below: 4_096)] {
          let offset = Self.headerBytes + frame * Self.frameBytes + field
          try killed.write(to: data, log: Self.flipped(killed.log, at: offset))
          let error = try Self.refusal(data)
          #expect(error.code == .dataLoss)
          #expect(
            error.message.contains(
              "firestore.sqlite-wal is damaged (frame \(frame + 1) is wrong, and commits follow it)"
            ),
            "byte \(field) of frame \(frame + 1): \(error.message)"
          )
        }
      }
    }
  }

  @Test func `a wrong header before commits is refused`() async throws {
    let killed = try await Killed()
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      for offset in 0..<Self.headerBytes {
        try killed.write(to: data, log: Self.flipped(killed.log, at: offset, bit: offset % 8))
        let error = try Self.refusal(data)
        #expect(error.message.contains("damaged (its header is wrong)"), "byte \(offset)")
      }
    }
  }

  @Test func `an incomplete last transaction is dropped`() async throws {
    let killed = try await Killed()
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      var dice = Dice(seed: 2)
      let places = [0, 1, 31, 32, 33, 600, Self.headerBytes + Self.frameBytes, killed.log.count]
      for count in places + (0..<60).map({ _ in dice.number(below: killed.log.count) }) {
        try killed.write(to: data, log: killed.log.prefix(count))
        let ended = max(0, (count - Self.headerBytes) / Self.frameBytes)
        let commits = (0..<ended).count { killed.isEnd($0) }
        try await withRun(data) { run async throws in
          let found = Set(try run.documents().keys)
          #expect(found == Set(try (0..<commits).map { try name("c/\($0)") }), "cut at \(count)")
        }
      }
      // This imitates a disk that wrote the last transaction's frames in another order.
      for frame in killed.settledFrames..<killed.frames {
        let start = Self.headerBytes + frame * Self.frameBytes
        var log = killed.log
        log.replaceSubrange(start..<start + 2_048, with: Data(count: 2_048))
        try killed.write(to: data, log: log)
        try await withRun(data) { run async throws in
          #expect(try run.documents().count == Self.commits - 1)
        }
      }
    }
  }

  /// Behind the current frames, the file still has frames that were written before the log
  /// restarted.
  @Test func `frames of an earlier use of the log are ignored`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      var limits = SQLiteJournal.Limits()
      // After three quarters of the commits, a checkpoint moves all pages and the log restarts.
      limits.unmovedBytes = 150_000
      let killed = try await withRun(data, limits: limits) { run in
        for id in 0..<Self.commits { try await run.commit(.set("c/\(id)", ["n": 1])) }
        return Killed(try Killed.files(of: data))
      }
      let last = killed.log.suffix(Self.frameBytes)
      #expect(last.dropFirst(8).prefix(8) != killed.log[16..<24])
      try killed.write(to: data, log: killed.log)
      try await withRun(data) { run async throws in
        #expect(try run.documents().count == Self.commits)
      }
    }
  }

  @Test func `a connection that doesn't sync its commits is refused`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = try await taken("\(folder)/data")
      let file = StoreFile(in: data)
      try file.makeIfMissing(in: data)
      for (mode, level, isGood) in [
        ("WAL", "FULL", true), ("WAL", "NORMAL", false), ("WAL", "OFF", false),
        ("DELETE", "FULL", false),
      ] {
        let queue = try DatabaseQueue(path: file.path)
        try queue.inDatabase { database in
          try database.execute(sql: "PRAGMA journal_mode = \(mode)")
          try database.execute(sql: "PRAGMA synchronous = \(level)")
        }
        let check = { try queue.inDatabase { try file.checkSyncs($0) } }
        if isGood {
          try check()
        } else {
          let error = #expect(throws: StatusError.self) { try check() }
          #expect(error?.message.contains("would not keep commits through a power cut") == true)
        }
        try queue.close()
      }
    }
  }
}
