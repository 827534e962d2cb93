import FirestoreModel
import RPCStatus
import Testing

@testable import Store

/// What listeners were told, put together, is what a query finds: for queries and commits by chance.
@Suite(.timeLimit(.minutes(5)))
struct RandomWatchTests {
  @Test(arguments: 1...6)
  func `listeners know what a query would find`(seed: UInt64) async throws {
    var random = QueryGenerator(seed: seed)
    let store = Store()
    // Few documents are sorted, many have indexes.
    let ids = seed.isMultiple(of: 2) ? 40 : 150
    for number in 0..<ids where random.number(below: 3) > 0 {
      try store.commit(.set("c/\(number)", random.fields()))
    }
    var queries: [StructuredQuery] = []
    var client = WatchClient(store)
    while queries.count < 24 {
      let query = random.query()
      do throws(StatusError) {
        try store.watch(
          WatchRequest(.query(query, parent: ResourceName(database: database))),
          as: Int32(queries.count),
          by: client.listener
        )
        queries.append(query)
      } catch {
        // Chance makes queries that Firestore refuses, too.
      }
    }
    for round in 0..<40 {
      var writes: [Write] = []
      for _ in 0...random.number(below: 4) {
        let path = "c/\(random.number(below: ids))"
        writes.append(
          random.number(below: 3) == 0 ? try .delete(path) : try .set(path, random.fields())
        )
      }
      _ = try await store.commit(writes, in: database)
      if random.number(below: 3) > 0 { continue }
      if random.number(below: 6) == 0 {
        // What happened until now and what happens on the way must not get lost.
        client = try client.openings.isEmpty ? client : client.reconnected()
        try store.commit(.set("c/\(random.number(below: ids))", random.fields()))
      }
      try await client.hear()
      for (number, query) in queries.enumerated() {
        let found = try store.run(query, parent: resource()).documents
        let known = client.answers[Int32(number)] ?? [:]
        let texts = [found, Array(known.values)].map { documents in
          documents.map { "\($0.name.id) \($0.updateTime.map(\.description) ?? "")" }.sorted()
        }
        try #require(texts[0] == texts[1], "seed \(seed), round \(round), \(query)")
      }
    }
  }
}
