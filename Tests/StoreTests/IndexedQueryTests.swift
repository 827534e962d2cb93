import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

/// Queries over indexed collections, compared with a scan of all documents.
struct IndexedQueryTests {
  /// Returns a store with a collection of two hundred random documents, and with documents that
  /// mustn't be in its results.
  private static func store(_ generator: inout QueryGenerator) throws -> Store {
    let store = Store()
    for id in 0..<200 {
      try store.commit(
        .set("c/\(id)", generator.fields()),
        .set("c/\(id)/c/x", ["a": 1, "b": 1]),
        .set("other/\(id)", generator.fields())
      )
    }
    return store
  }

  private static func all(_ store: Store) throws -> ReferenceEvaluation {
    let everything = try store.run(StructuredQuery(from: "c"), parent: resource()).documents
    return ReferenceEvaluation(documents: everything)
  }

  @Test(arguments: 1...12)
  func `an index gives the same answer as a scan of all documents`(seed: UInt64) throws {
    var generator = QueryGenerator(seed: seed)
    let store = try Self.store(&generator)
    let reference = try Self.all(store)
    var answered = 0
    while answered < 60 {
      let query = generator.query()
      guard (try? query.validate()) != nil else { continue }
      answered += 1
      let (found, expected) = (try store.ids(query), reference.ids(query))
      #expect(found == expected, "\(query)")
    }
  }

  @Test(arguments: [0, 100])
  func `contradictory conditions match nothing`(others: Int) throws {
    let store = Store()
    try store.commit(.set("c/one", ["v": 1]), .set("c/null", ["v": .null]))
    for id in 0..<others { try store.commit(.set("c/o\(id)", ["v": .double(.nan)])) }
    for contradiction in [
      [filter(.equal, 1), .unary(v, .isNull)], [.unary(v, .isNull), filter(.equal, 1)],
      [filter(.equal, 1), .unary(v, .isNaN)], [.unary(v, .isNull), .unary(v, .isNaN)],
      [filter(.equal, 1), filter(.equal, 2)],
    ] as [[Filter]] {
      #expect(try store.ids(query(.composite(.and, contradiction))) == [], "\(contradiction)")
    }
  }

  @Test(arguments: [0, 100])
  func `long values that differ only behind an index's prefix are distinguished`(others: Int) throws
  {
    let store = Store()
    let long = String(repeating: "x", count: 1_600)
    for id in ["1", "2", "3"] {
      try store.commit(.set("c/\(id)", ["v": .string(long + id), "tags": [.string(long + id)]]))
    }
    for id in 0..<others { try store.commit(.set("c/o\(id)", ["v": "a", "tags": ["a"]])) }
    let (first, third): (Value, Value) = (.string(long + "1"), .string(long + "3"))
    let tags = FieldPath("tags")
    #expect(try store.ids(query(filter(.greaterThan, first))) == ["2", "3"])
    #expect(try store.ids(query(filter(.greaterThanOrEqual, first))) == ["1", "2", "3"])
    #expect(
      try store.ids(query(.composite(.and, [filter(.lessThan, third), filter(.greaterThan, "b")])))
        == ["1", "2"]
    )
    #expect(try store.ids(query(filter(.equal, first))) == ["1"])
    #expect(try store.ids(query(filter(.in, [first, third]))) == ["1", "3"])
    #expect(try store.ids(query(.field(tags, .arrayContains, third))) == ["3"])
    #expect(try store.ids(query(.field(tags, .arrayContainsAny, [first, third]))) == ["1", "3"])
  }

  @Test(arguments: 1...6)
  func `indexes follow every change`(seed: UInt64) throws {
    var generator = QueryGenerator(seed: seed)
    let store = try Self.store(&generator)
    var queries: [StructuredQuery] = []
    while queries.count < 20 {
      let query = generator.query()
      if (try? query.validate()) != nil { queries.append(query) }
    }
    for _ in 0..<4 {
      for query in queries { _ = try store.ids(query) }
      for _ in 0..<60 {
        let id = generator.dice.number(below: 220)
        switch generator.dice.number(below: 4) {
        case 0: try store.commit(.delete("c/\(id)"))
        case 1: try store.commit(.set("c/\(id)", ["a": generator.value()], mask: ["a"]))
        default: try store.commit(.set("c/\(id)", generator.fields()))
        }
      }
      let reference = try Self.all(store)
      for query in queries {
        let (found, expected) = (try store.ids(query), reference.ids(query))
        #expect(found == expected, "\(query)")
      }
    }
  }

  @Test(arguments: 1...6)
  func `a reader sees the snapshot of its start while others write`(seed: UInt64) throws {
    var generator = QueryGenerator(seed: seed)
    let store = try Self.store(&generator)
    var readers:
      [(query: StructuredQuery, cursor: QueryCursor, expected: [String], ids: [String])] = []
    let reference = try Self.all(store)
    while readers.count < 12 {
      let query = generator.query()
      guard (try? query.validate()) != nil else { continue }
      let cursor = try store.attemptQuery(query, parent: resource(), .latest).now
      readers.append((query, cursor, reference.ids(query), []))
    }
    var isReading = true
    while isReading {
      isReading = false
      for index in readers.indices {
        let documents = try readers[index].cursor.next(1 + generator.dice.number(below: 9))
        readers[index].ids += documents.map(\.name.id)
        if !documents.isEmpty { isReading = true }
        let id = generator.dice.number(below: 220)
        if generator.dice.number(below: 3) == 0 {
          try store.commit(.delete("c/\(id)"))
        } else {
          try store.commit(.set("c/\(id)", generator.fields()))
        }
      }
    }
    for reader in readers { #expect(reader.ids == reader.expected, "\(reader.query)") }
  }

  @Test(arguments: 1...4)
  func `a query at a past time has that time's answer`(seed: UInt64) throws {
    var generator = QueryGenerator(seed: seed)
    let store = try Self.store(&generator)
    var moments: [(time: Timestamp, reference: ReferenceEvaluation)] = []
    for _ in 0..<5 {
      var time = Timestamp(seconds: 0)
      for _ in 0..<40 {
        let id = generator.dice.number(below: 220)
        time =
          generator.dice.number(below: 3) == 0
          ? try store.commit(.delete("c/\(id)")).time
          : try store.commit(.set("c/\(id)", generator.fields())).time
      }
      moments.append((time, try Self.all(store)))
    }
    for moment in moments {
      for _ in 0..<15 {
        let query = generator.query()
        guard (try? query.validate()) != nil else { continue }
        let cursor = try store.attemptQuery(
          query,
          parent: resource(),
          .readTime(moment.time)
        ).now
        #expect(
          try cursor.next(.max).map(\.name.id) == moment.reference.ids(query),
          "\(query)"
        )
      }
      let names = try (0..<220).map { try name("c/\($0)") }
      let read = try store.attemptDocuments(names, in: database, .readTime(moment.time)).now
      #expect(read.readTime == moment.time)
      #expect(
        Set(read.documents.keys.map(\.id)) == Set(moment.reference.documents.map(\.name.id))
      )
      let count = try store.attemptAggregation(
        [Aggregation("n", .count(upTo: nil))],
        over: StructuredQuery(from: "c"),
        parent: resource(),
        .readTime(moment.time)
      ).now
      #expect(count.fields["n"] == .integer(Int64(moment.reference.documents.count)))
    }
  }
}
