import Core
import FirestoreModel
import TestKit
import Testing

@testable import Store

struct IndexConfigurationTests {
  private static let json = """
    {
      "indexes": [
        {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "n", "order": "DESCENDING"}]},
        {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "b", "order": "ASCENDING"}, {"fieldPath": "n", "order": "DESCENDING"},
          {"fieldPath": "__name__", "order": "DESCENDING"}]},
        {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "n", "order": "ASCENDING"}]},
        {"collectionGroup": "c", "queryScope": "COLLECTION_GROUP", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "n", "order": "ASCENDING"}]},
        {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "v", "vectorConfig": {"dimension": 2, "flat": {}}}]}
      ],
      "fieldOverrides": [
        {"collectionGroup": "c", "fieldPath": "g", "ttl": true, "indexes": [
          {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}
      ]
    }
    """

  private static let a = Filter.field(FieldPath("a"), .equal, 1)
  private static let b = Filter.field(FieldPath("b"), .equal, 1)
  private static let more = Filter.field(FieldPath("n"), .greaterThan, 1)
  private static let tag = Filter.field(FieldPath("tags"), .arrayContains, "x")

  private static func and(_ filters: Filter...) -> Filter { .composite(.and, filters) }

  private static func group(_ query: StructuredQuery) -> StructuredQuery {
    var query = query
    query.from = [.init("c", allDescendants: true)]
    return query
  }

  private static func error(_ query: StructuredQuery) throws -> StatusError? {
    let indexes = try IndexConfiguration(Data(json.utf8), name: "firestore.indexes.json")
    return statusError { try Store(indexes: indexes).run(query, parent: resource()) }
  }

  @Test(
    arguments: [
      query(), query(a), query(and(a, b, tag)), query(more),
      query(orderBy: [Order(FieldPath("n"), .descending)]),
      query(.field(FieldPath("a"), .in, [1, 2])),
      query(a, orderBy: [Order(FieldPath("n"), .descending)]),
      query(a, orderBy: [Order(FieldPath("n"))]),
      query(and(a, b), orderBy: [Order(FieldPath("n"), .descending)]),
      query(and(a, more), orderBy: [Order(FieldPath("n"), .descending)]), query(and(a, more)),
      query(tag, orderBy: [Order(FieldPath("n"))]),
      query(.composite(.or, [a, b]), orderBy: [Order(FieldPath("n"), .descending)]),
      group(query()), group(query(and(a, more))), group(query(.field(FieldPath("g"), .equal, 1))),
      query(.composite(.and, [])), query(orderBy: [Order(.documentName, .descending)]),
      query(a, orderBy: [Order(.documentName, .descending)]),
    ]
  )
  func `a query that has its index is answered`(query: StructuredQuery) throws {
    #expect(try Self.error(query) == nil)
  }

  @Test(
    arguments: [
      (
        query(b, orderBy: [Order(FieldPath("m"))]),
        #"indexes in firestore.indexes.json: {"collectionGroup":"c","fields":[{"fieldPath":"b","order":"ASCENDING"},{"fieldPath":"m","order":"ASCENDING"}],"queryScope":"COLLECTION"}"#
      ),
      (
        query(orderBy: [Order(FieldPath("n")), Order(FieldPath("m"), .descending)]),
        #"indexes in firestore.indexes.json: {"collectionGroup":"c","fields":[{"fieldPath":"n","order":"ASCENDING"},{"fieldPath":"m","order":"DESCENDING"}],"queryScope":"COLLECTION"}"#
      ),
      (
        query(and(tag, a), orderBy: [Order(FieldPath("m"), .descending)]),
        #"indexes in firestore.indexes.json: {"collectionGroup":"c","fields":[{"fieldPath":"a","order":"ASCENDING"},{"arrayConfig":"CONTAINS","fieldPath":"tags"},{"fieldPath":"m","order":"DESCENDING"}],"queryScope":"COLLECTION"}"#
      ),
      (
        group(query(a)),
        #"fieldOverrides in firestore.indexes.json: {"collectionGroup":"c","fieldPath":"a","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION"},{"order":"DESCENDING","queryScope":"COLLECTION"},{"arrayConfig":"CONTAINS","queryScope":"COLLECTION"},{"order":"ASCENDING","queryScope":"COLLECTION_GROUP"}]}"#
      ),
      (
        query(.field(FieldPath("g"), .equal, 1)),
        #"fieldOverrides in firestore.indexes.json: {"collectionGroup":"c","fieldPath":"g","indexes":[{"order":"ASCENDING","queryScope":"COLLECTION_GROUP"},{"order":"ASCENDING","queryScope":"COLLECTION"}],"ttl":true}"#
      ),
    ]
  )
  func `a query that lacks its index is refused with the definition to add`(
    query: StructuredQuery,
    advice: String
  ) throws {
    let error = try #require(try Self.error(query))
    #expect(error.code == .failedPrecondition)
    #expect(
      error.message.hasPrefix("The query requires an index. You can create it here: https://")
    )
    #expect(error.message.hasSuffix(" For the emulator, add to \(advice)"))
  }

  @Test func `adding the suggested definition is enough`() throws {
    let query = query(Self.b, orderBy: [Order(FieldPath("m"))])
    let message = try #require(try Self.error(query)).message
    let definition = try #require(message.split(separator: ".json: ", maxSplits: 1).last)
    let indexes = try IndexConfiguration(Data(#"{"indexes": [\#(definition)]}"#.utf8), name: "f")
    #expect(try Store(indexes: indexes).run(query, parent: resource()).documents.isEmpty)
  }

  @Test func `adding the suggested override keeps other queries valid`() throws {
    let group = Self.group(query(Self.a))
    let message = try #require(try Self.error(group)).message
    let definition = try #require(message.split(separator: ".json: ", maxSplits: 1).last)
    let json = #"{"fieldOverrides": [\#(definition)]}"#
    let indexes = try IndexConfiguration(Data(json.utf8), name: "f")
    for query in [group, query(Self.a), query(orderBy: [Order(FieldPath("a"), .descending)])] {
      #expect(try Store(indexes: indexes).run(query, parent: resource()).documents.isEmpty)
    }
  }

  @Test(arguments: ["", "[]", #"{"indexes": [{"fields": []}]}"#, #"{"indexes": 7}"#])
  func `an invalid file is refused by name`(json: String) {
    let error = statusError { try IndexConfiguration(Data(json.utf8), name: "my.indexes.json") }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("my.indexes.json") == true)
  }
}
