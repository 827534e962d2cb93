import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

/// Listeners of random queries during random commits.
///
/// After each round, the changes that a listener received must add up to the query's result.
@Suite(.timeLimit(.minutes(10)))
struct RandomWatchTests {
  @Test(arguments: 1...6)
  func `a listener's answer equals the query's`(seed: UInt64) async throws {
    var random = QueryGenerator(seed: seed)
    let store = Store()
    let ids = QueryGenerator.idCount(seed)
    for write in try random.filling(ids) { try store.commit(write) }
    var client = WatchClient(store)
    let queries = try random.watched(by: client)
    for round in 0..<40 {
      _ = try await store.commit(try random.writes(ids), in: database)
      if random.dice.number(below: 3) > 0 { continue }
      if random.dice.number(below: 6) == 0 {
        // A reconnection must lose no changes, neither earlier ones nor those that it overlaps.
        client = try client.openings.isEmpty ? client : client.reconnected()
        try store.commit(.set("c/\(random.dice.number(below: ids))", random.fields()))
      }
      try await client.hear()
      try check(client, queries, "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: 1...6)
  func `a listener's answer equals the query's if the journal groups and refuses commits`(
    seed: UInt64
  ) async throws {
    var random = QueryGenerator(seed: seed)
    var limits = Store.Limits()
    if seed.isMultiple(of: 2) { limits.historyBytes = 0 }
    let journal = TestJournal()
    let store = Store(limits: limits, journal: journal)
    let ids = QueryGenerator.idCount(seed)
    _ = try await store.commit(try random.filling(ids), in: database)
    let client = WatchClient(store)
    let queries = try random.watched(by: client)
    try await client.hear()
    journal.refuse { ($0 + Int(seed)).isMultiple(of: 3) }
    for round in 0..<40 {
      let attempts = try journal.gather {
        var attempts: [MaybePending<Void>] = []
        for _ in 0...random.dice.number(below: 6) {
          attempts.append(
            random.dice.number(below: 30) == 0
              ? try store.attemptClear(database)
              : try store.attemptCommit(try random.writes(ids), in: database).map { _ in }
          )
        }
        return attempts
      }
      for attempt in attempts {
        do throws(StatusError) {
          try await attempt.value()
        } catch {
          guard error == TestJournal.full else { throw error }
        }
      }
      try await client.hear()
      // If a snapshot was no longer available, the target opens a second time.
      try await client.hear()
      try check(client, queries, "seed \(seed), round \(round)")
    }
  }

  private func check(
    _ client: WatchClient,
    _ queries: [StructuredQuery],
    _ place: String
  ) throws {
    for (number, query) in queries.enumerated() {
      let found = try client.store.run(query, parent: resource()).documents
      let known = client.answers[Int32(number)] ?? [:]
      let texts = [found, Array(known.values)].map { documents in
        documents.map { "\($0.name.id) \($0.updateTime.map(\.description) ?? "")" }.sorted()
      }
      try #require(texts[0] == texts[1], "\(place), \(query)")
    }
  }
}

extension QueryGenerator {
  /// Returns the number of possible document IDs.
  ///
  /// With 40 IDs, the store sorts the collection for each query. With 150, the store has an index.
  fileprivate static func idCount(_ seed: UInt64) -> Int { seed.isMultiple(of: 2) ? 40 : 150 }

  /// Returns writes that create about two thirds of the possible documents.
  fileprivate mutating func filling(_ ids: Int) throws -> [Write] {
    var writes: [Write] = []
    for id in 0..<ids where dice.number(below: 3) > 0 {
      writes.append(try .set("c/\(id)", fields()))
    }
    return writes
  }

  /// Returns the writes of one random commit.
  fileprivate mutating func writes(_ ids: Int) throws -> [Write] {
    var writes: [Write] = []
    for _ in 0...dice.number(below: 4) {
      let path = "c/\(dice.number(below: ids))"
      writes.append(dice.number(below: 3) == 0 ? try .delete(path) : try .set(path, fields()))
    }
    return writes
  }

  /// Watches random queries, most of which have a limit, and returns them.
  ///
  /// A query's index in the array is its target ID.
  fileprivate mutating func watched(by client: WatchClient) throws -> [StructuredQuery] {
    var queries: [StructuredQuery] = []
    while queries.count < 24 {
      var query = query()
      if query.limit == nil, dice.number(below: 3) > 0 { query.limit = 1 + dice.number(below: 5) }
      do throws(StatusError) {
        try client.store.watch(
          WatchRequest(.query(query, parent: ResourceName(database: database))),
          as: Int32(queries.count),
          by: client.listener
        )
        queries.append(query)
      } catch {
        // The query is invalid, which random queries may be.
      }
    }
    return queries
  }
}
