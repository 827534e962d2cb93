import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

/// The number of documents and index entries that a query reads.
///
/// It must not grow with the collection.
struct CostTests {
  private static func store(_ count: Int) throws -> Store {
    let store = Store()
    for start in stride(from: 0, to: count, by: 500) {
      let writes = try (start..<min(start + 500, count)).map { id in
        let fields: Fields = [
          "n": .integer(Int64(id)), "kind": .string("k\(id % 2)"), "even": .boolean(id % 3 == 0),
          "tags": [.string("t\(id % 100)")], "m": ["x": .integer(Int64(id % 7))],
        ]
        return try Write.set("c/\(id)", fields)
      }
      _ = try store.commit(writes, in: database)
    }
    return store
  }

  // The store needs an index for both collections, because they are too large for a sort.
  private static let small = Result { try store(3_000) }
  private static let large = Result { try store(9_000) }

  @Test(
    arguments: [
      (query(.field(FieldPath("n"), .equal, 1_234)), 1),
      (query(orderBy: [Order(FieldPath("n"), .descending)], limit: 10), 10),
      (query(.field(FieldPath("n"), .greaterThan, 1_900), limit: 5), 5),
      (query(.field(FieldPath("tags"), .arrayContains, "t5"), limit: 5), 5),
      (query(.field(FieldPath("n"), .in, [1, 5, 9, 4_000_000])), 3),
      (
        query(
          .composite(
            .and,
            [.field(FieldPath("kind"), .equal, "k1"), .field(FieldPath("even"), .equal, false)]
          ),
          orderBy: [Order(FieldPath("n"), .descending)],
          limit: 10
        ), 10
      ),
      (
        query(
          .field(FieldPath("kind"), .equal, "k1"),
          orderBy: [Order(FieldPath("m", "x")), Order(FieldPath("n"), .descending)],
          limit: 10
        ), 10
      ),
      (query(orderBy: [Order(.documentName, .descending)], limit: 3), 3),
    ]
  )
  func `a query reads what it returns, however large the collection`(
    query: StructuredQuery,
    results: Int
  ) throws {
    for store in try [Self.small.get(), Self.large.get()] {
      let cursor = try store.attemptQuery(query, parent: resource(), .latest).now
      #expect(try cursor.next(100).count == results)
      #expect(cursor.statistics.documentsScanned <= results + 1)
      #expect(cursor.statistics.indexEntriesScanned <= results + 1)
    }
  }

  @Test func `conditions that leave few documents need no index of their own`() throws {
    let store = try Self.small.get()
    let query = query(
      .composite(
        .and,
        [.field(FieldPath("tags"), .arrayContains, "t5"), .field(FieldPath("even"), .equal, false)]
      ),
      orderBy: [Order(FieldPath("n"))]
    )
    let cursor = try store.attemptQuery(query, parent: resource(), .latest).now
    #expect(try cursor.next(100).count == 20)
    #expect(cursor.statistics.documentsScanned == 30)
  }

  @Test func `a count reads no documents`() throws {
    let store = try Self.small.get()
    let answer = try store.attemptAggregation(
      [Aggregation("n", .count(upTo: nil))],
      over: query(.field(FieldPath("kind"), .equal, "k1")),
      parent: resource(),
      .latest
    ).now
    #expect(answer.fields == ["n": 1_500])
    #expect(answer.statistics.documentsScanned == 0)
  }
}
