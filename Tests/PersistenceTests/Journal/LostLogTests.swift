import Core
import FirestoreModel
import Persistence
import Store
import TestKit
import Testing

/// Write-ahead logs that are truncated, emptied or deleted after a crash. The loss must be
/// detected.
@Suite(.timeLimit(.minutes(10)))
struct LostLogTests {
  private typealias Files = [String: Data]

  /// The documents and records of all acknowledged writes.
  private struct Model: Equatable, Sendable {
    var documents: [DocumentName: Document] = [:]
    var records: [String: Data] = [:]
  }

  private static let log = "firestore.sqlite-wal"
  private static let mark = "firestore.sqlite-mark"

  /// Returns the files of the folder as they are at one instant.
  ///
  /// The journal may fold its log meanwhile, so the files are read until two readings are equal.
  private static func files(of folder: String) throws -> Files {
    var files = try read(folder)
    while case let next = try read(folder), next != files { files = next }
    return files
  }

  /// Reads the files, without the lock and the log's index, which SQLite recreates.
  private static func read(_ folder: String) throws -> Files {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try names.filter { $0 != "lock" && !$0.hasSuffix("-shm") }
      .reduce(into: [:]) { $0[$1] = try Data(contentsOf: URL(filePath: "\(folder)/\($1)")) }
  }

  private static func write(_ files: Files, to folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try makeFolder(folder)
    for (name, content) in files { try content.write(to: URL(filePath: "\(folder)/\(name)")) }
  }

  /// Appends a commit, or only a record, as the dispatcher does for a delivery.
  private static func change(_ run: Run, _ model: inout Model, _ dice: inout Dice) async throws {
    if dice.number(below: 3) == 0 {
      let key = "event-\(dice.number(below: 5))"
      let content = Data("state \(dice.number(below: 1_000))".utf8)
      try run.journal.append([.record(JournalRecord(key: key, content: content))])
      model.records[key] = content
      return
    }
    let text = Value.string(String(repeating: "x", count: dice.number(below: 6_000)))
    let number = Value.integer(Int64(dice.number(below: 1_000)))
    let path = "c/\(dice.number(below: 20))"
    let commit = try await run.commit(.set(path, ["n": number, "t": text]))
    for change in commit.changes { model.documents[change.name] = change.after }
  }

  /// Returns the files that a run leaves when it is killed with SIGKILL. Other runs may come before
  /// it.
  private static func killed(_ dice: inout Dice) async throws -> (files: Files, model: Model) {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      var model = Model()
      for _ in 0..<dice.number(below: 3) {
        try await withRun(data, closes: dice.number(below: 2) == 0) { run in
          for _ in 0..<dice.number(below: 20) { try await change(run, &model, &dice) }
        }
      }
      let limits = dice.number(below: 2) == 0 ? SQLiteJournal.Limits() : .tiny
      return try await withRun(data, limits: limits) { run in
        for _ in 0...dice.number(below: 20) { try await change(run, &model, &dice) }
        return (try files(of: data), model)
      }
    }
  }

  /// Returns the log with random damage, or `nil` if the log is deleted.
  private static func damaged(_ log: Data, _ dice: inout Dice) -> Data? {
    let place = log.isEmpty ? 0 : dice.number(below: log.count)
    return switch dice.number(below: 5) {
    case 0: nil
    case 1: Data()
    case 2: log.prefix(log.count / 2)
    case 3: log.prefix(place)
    default: log.prefix(place) + Data(count: log.count - place)
    }
  }

  private static func found(in folder: String) async throws -> Model {
    let durable = try DurableStore(in: await taken(folder))
    defer { durable.journal.close() }
    let documents = durable.contents.documents.values.flatMap(\.self)
    return Model(
      documents: Dictionary(uniqueKeysWithValues: documents.map { ($0.name, $0) }),
      records: durable.contents.records
    )
  }

  /// Either all acknowledged writes are there, or the folder is refused.
  @Test(arguments: 1...8)
  func `acknowledged commits are there, or their loss is detected`(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    var refusals = 0
    for round in 0..<12 {
      let (files, model) = try await Self.killed(&dice)
      try await withTemporaryFolder(inMemory: true) { folder in
        let data = "\(folder)/data"
        // Undamaged files are accepted.
        try Self.write(files, to: data)
        #expect(try await Self.found(in: data) == model, "seed \(seed), round \(round)")
        #expect(try await Self.found(in: data) == model, "seed \(seed), round \(round), again")
      }
      for _ in 0..<8 {
        var damaged = files
        damaged[Self.log] = Self.damaged(files[Self.log] ?? Data(), &dice)
        let wasRefused = try await withTemporaryFolder(inMemory: true) { folder in
          let data = "\(folder)/data"
          try Self.write(damaged, to: data)
          let before = try content(of: data)
          do {
            #expect(try await Self.found(in: data) == model, "seed \(seed), round \(round)")
            return false
          } catch let error as StatusError {
            #expect(error.code == .dataLoss, "\(error.message)")
            #expect(try content(of: data) == before, "a file was changed")
            return true
          }
        }
        if wasRefused { refusals += 1 }
      }
    }
    #expect(refusals > 20)
  }

  @Test func `the refusal tells how much is missing and how to continue without it`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      try await withRun(data) { run in for id in 0..<4 { try await run.commit(.set("c/\(id)")) } }
      var files = try await withRun(data) { run in
        for id in 4..<9 { try await run.commit(.set("c/\(id)")) }
        return try Self.files(of: data)
      }
      files[Self.log] = nil
      try Self.write(files, to: data)
      let error = await #expect(throws: StatusError.self) { try await Self.found(in: data) }
      let file = "\(data)/firestore.sqlite"
      #expect(error?.code == .dataLoss)
      #expect(
        error?.message == """
          \(file) lacks its last 5 groups of commits: \(file)-wal was cut or removed, or the \
          folder's files are from different times. Nothing was changed: restore a copy of the \
          whole folder, or remove \(file)-mark to go on without these commits
          """
      )
      try FileManager.default.removeItem(atPath: "\(file)-mark")
      #expect(try await Self.found(in: data).documents.count == 4)
      // The first run has written a new mark, which counts only the remaining groups.
      #expect(try await Self.found(in: data).documents.count == 4)
    }
  }

  @Test func `a folder of an emulator that kept no mark is accepted and gets one`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      try await withRun(data) { run in try await run.commit(.set("c/x")) }
      try? FileManager.default.removeItem(atPath: "\(data)/\(Self.mark)")
      #expect(try await Self.found(in: data).documents.count == 1)
      #expect(FileManager.default.fileExists(atPath: "\(data)/\(Self.mark)"))
    }
  }

  @Test(arguments: [Data(), Data(count: 16), Data("1234567890123456".utf8)])
  func `a malformed mark is refused`(content: Data) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      try await withRun(data) { run in try await run.commit(.set("c/x")) }
      try content.write(to: URL(filePath: "\(data)/\(Self.mark)"))
      let error = await #expect(throws: StatusError.self) { try await Self.found(in: data) }
      #expect(error?.message.contains("firestore.sqlite-mark is damaged") == true)
      #expect(error?.message.contains("remove this file") == true)
    }
  }

  @Test func `a mark without its file isn't reused for a new file`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      try await withRun(data) { run in try await run.commit(.set("c/x")) }
      try FileManager.default.removeItem(atPath: "\(data)/firestore.sqlite")
      let error = await #expect(throws: StatusError.self) { try await Self.found(in: data) }
      #expect(error?.message.contains("firestore.sqlite-mark exists, but") == true)
    }
  }
}
