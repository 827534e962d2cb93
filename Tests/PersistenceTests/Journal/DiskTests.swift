import Core
import FirestoreModel
import Persistence
import Store
import TestKit
import Testing
import UnsyncedFiles

/// A full disk, and a disk that loses data that hasn't been synced.
///
/// The tests run one after the other, because the simulated disk can intercept the files of only
/// one folder.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DiskTests {
  init() { #expect(unsynced_install() == 0) }

  /// The fields of all documents, by path.
  private typealias Contents = [String: Fields]

  private static func contents(_ run: Run) throws -> Contents {
    Dictionary(
      uniqueKeysWithValues: try run.documents().map { ("\($0.key.path)", $0.value.fields) }
    )
  }

  @Test func `a full disk refuses writes and serves reads until it has room again`() async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      try await withRun(data) { _ in }
      unsynced_begin(data, -1, 1)
      defer { unsynced_end() }
      let model = try await withRun(data, limits: .tiny) { run in
        var model: Contents = [:]
        var refusals = 0
        for round in Int64(0)..<300 {
          unsynced_fill_disk(round / 20 % 2 == 1 ? 1 : 0)
          let path = "c/\(round % 50)"
          let text = Value.string(String(repeating: "x", count: 5_000))
          let fields: Fields = ["n": .integer(round), "t": text]
          do throws(StatusError) {
            _ = try await run.store.commit([Self.set(path, fields)], in: database)
            model[path] = fields
          } catch {
            refusals += 1
            #expect(error.code == .resourceExhausted && error.message.contains("disk is full"))
          }
          if round % 10 == 0 { #expect(try Self.contents(run) == model) }
        }
        // The number depends on the space that is left in the log's file.
        #expect(refusals > 0)
        unsynced_fill_disk(0)
        try await run.commit(.set("c/last"))
        model["c/last"] = [:]
        return model
      }
      try await withRun(data) { run async throws in #expect(try Self.contents(run) == model) }
    }
  }

  private static func set(_ path: String, _ fields: Fields) throws(StatusError) -> Write {
    Write(
      .update(
        Document(
          name: try DocumentName(database: database, path: ResourcePath(path)),
          fields: fields
        )
      )
    )
  }

  /// Cuts the power at a random write or sync.
  ///
  /// All acknowledged commits must survive. Only the last groups of the other commits may be lost,
  /// and only as a whole.
  @Test(arguments: 1...8)
  func `a power cut loses no acknowledged commit`(block: UInt64) async throws {
    let cuts = Int(ProcessInfo.processInfo.environment["POWER_CUTS"] ?? "") ?? 240
    for cut in 0..<cuts / 8 {
      try await Self.cutPower(seed: block * 1_000_000 + UInt64(cut))
    }
  }

  private static func cutPower(seed: UInt64) async throws {
    try await withTemporaryFolder(inMemory: true) { folder in
      let data = "\(folder)/data"
      var dice = Dice(seed: seed)
      // Writes aren't intercepted yet. Some of these commits are still in the log.
      var states: [Contents] = [[:]]
      let rounds = dice.number(below: 4)
      try await withRun(data, closes: dice.number(below: 2) == 0) { run in
        for _ in 0..<rounds { _ = await submit(run, &states, &dice) }
      }
      var answered = states.count - 1

      unsynced_begin(data, Int64(dice.number(below: 220)), seed)
      if let run = try? Run(await taken(data), .tiny, { .now }) {
        var isOn = true
        for _ in 0..<60 where isOn {
          let count = await submit(run, &states, &dice)
          answered += count.answered
          isOn = count.answered == count.submitted
        }
        await run.store.close()
      }
      unsynced_end()

      let found = try await withRun(data) { run in try contents(run) }
      let state = states.lastIndex(of: found)
      #expect(state.map { $0 >= answered } == true, "seed \(seed): \(answered) of \(states.count)")
    }
  }

  /// Submits some commits at the same time, and records the documents after each of them.
  private static func submit(
    _ run: Run,
    _ states: inout [Contents],
    _ dice: inout Dice
  ) async -> (submitted: Int, answered: Int) {
    var attempts: [MaybePending<Commit>] = []
    for _ in 0...dice.number(below: 3) {
      var contents = states.last ?? [:]
      let mark = Value.integer(Int64(states.count))
      let ids = Set((0...dice.number(below: 4)).map { _ in dice.number(below: 20) })
      let writes = try? ids.map { id in
        let text = Value.string(String(repeating: "x", count: dice.number(below: 3_000)))
        contents["c/\(id)"] = ["n": mark, "t": text]
        return try Write.set("c/\(id)", ["n": mark, "t": text])
      }
      guard let attempt = try? run.store.attemptCommit(writes ?? [], in: database) else { continue }
      states.append(contents)
      attempts.append(attempt)
    }
    var answered = 0
    for attempt in attempts where (try? await attempt.value()) != nil { answered += 1 }
    return (attempts.count, answered)
  }
}
