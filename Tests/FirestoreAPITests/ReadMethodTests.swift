import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import TestKit
import Testing

struct ReadMethodTests {
  private let firestore = Firestore()
  private var service: FirestoreService { firestore.service }
  private var context: RequestContext { firestore.context }

  private func batchGet(
    _ paths: [String],
    _ fill: (inout ProtoBatchGetDocumentsRequest) -> Void = { _ in }
  ) async throws -> [ProtoBatchGetDocumentsResponse] {
    var request = ProtoBatchGetDocumentsRequest()
    request.database = Firestore.database
    request.documents = paths.map(Firestore.name)
    fill(&request)
    return try await service.batchGetDocuments(request, context).collected()
  }

  private func runQuery(
    _ fill: (inout ProtoRunQueryRequest) -> Void = { _ in }
  ) async throws -> [ProtoRunQueryResponse] {
    var request = ProtoRunQueryRequest()
    request.parent = Firestore.documents
    request.structuredQuery.from = [.with { $0.collectionID = "c" }]
    fill(&request)
    return try await service.runQuery(request, context).collected()
  }

  private func aggregate(
    _ fill: (inout ProtoRunAggregationQueryRequest) -> Void = { _ in }
  ) async throws -> [ProtoRunAggregationQueryResponse] {
    var request = ProtoRunAggregationQueryRequest()
    request.parent = Firestore.documents
    request.structuredAggregationQuery.structuredQuery.from = [.with { $0.collectionID = "c" }]
    request.structuredAggregationQuery.aggregations = [
      .with { $0.count = .init() },
      .with { aggregation in
        aggregation.alias = "total"
        aggregation.sum.field.fieldPath = "n"
      },
    ]
    fill(&request)
    return try await service.runAggregationQuery(request, context).collected()
  }

  // MARK: BatchGet

  @Test func `each distinct document is returned once, existing ones first`() async throws {
    try firestore.set("c/x", ["a": 1, "b": 2])
    let answers = try await batchGet(["c/missing", "c/x", "c/missing", "c/x"]) {
      $0.mask.fieldPaths = ["a"]
    }
    #expect(answers.count == 2)
    #expect(try Fields(answers[0].found.fields) == ["a": 1])
    #expect(answers[1].missing == Firestore.name("c/missing"))
    #expect(answers[0].readTime == answers[1].readTime && answers[0].hasReadTime)
  }

  @Test func `a batch of many documents is returned completely and in order`() async throws {
    let paths = (0..<250).map { "c/\($0)" }
    for path in paths { try firestore.set(path) }
    let answers = try await batchGet(paths + ["c/missing"])
    #expect(answers.map(\.found.name).prefix(250) == paths.map(Firestore.name)[...])
    #expect(answers.count == 251)
  }

  @Test func `an empty batch has an empty answer unless it begins a transaction`() async throws {
    #expect(try await batchGet([]).isEmpty)
    let answers = try await batchGet([]) { $0.newTransaction = .init() }
    #expect(answers.count == 1 && !answers[0].transaction.isEmpty && !answers[0].hasReadTime)
  }

  @Test func `a document of another database is refused`() async {
    let error = await #expect(throws: StatusError.self) {
      try await batchGet([]) {
        $0.documents = ["projects/other/databases/(default)/documents/c/x"]
      }
    }
    #expect(error?.code == .invalidArgument)
  }

  // MARK: Queries

  @Test func `a query without results returns its time`() async throws {
    let answers = try await runQuery()
    #expect(answers.count == 1 && answers[0].hasReadTime && !answers[0].hasDocument)
  }

  @Test func `a query returns a message for each document`() async throws {
    for index in 0..<250 { try firestore.set("c/\(index)", ["n": .integer(Int64(index))]) }
    let answers = try await runQuery { request in
      request.structuredQuery.orderBy = [.with { $0.field.fieldPath = "n" }]
    }
    #expect(answers.map(\.document.name) == (0..<250).map { Firestore.name("c/\($0)") })
    #expect(Set(answers.map(\.readTime)).count == 1)
    #expect(answers.allSatisfy { $0.continuationSelector == nil })
    let none = try await runQuery { $0.structuredQuery.limit = 0 }
    #expect(none.count == 1 && !none[0].hasDocument)
  }

  @Test func `a transaction begun by a read is returned before anything else`() async throws {
    try firestore.set("c/x")
    let queried = try await runQuery { $0.newTransaction.readOnly = .init() }
    #expect(queried.count == 2 && !queried[0].transaction.isEmpty && !queried[0].hasReadTime)
    #expect(queried[1].transaction.isEmpty && queried[1].hasDocument)

    let got = try await batchGet(["c/x"]) { $0.newTransaction.readWrite = .init() }
    #expect(got.count == 2 && !got[0].transaction.isEmpty && got[0].result == nil)
    let again = try await batchGet(["c/x"]) { $0.transaction = got[0].transaction }
    #expect(again.count == 1 && again[0].transaction.isEmpty)

    let counted = try await aggregate { $0.newTransaction.readOnly = .init() }
    #expect(counted.count == 1 && !counted[0].transaction.isEmpty && counted[0].hasResult)
  }

  @Test func `a query is planned, or run and explained with its last document`() async throws {
    for id in ["x", "y"] { try firestore.set("c/\(id)", ["n": 1]) }
    let plan = try await runQuery { $0.explainOptions = .init() }
    #expect(plan.count == 1 && !plan[0].hasDocument && !plan[0].explainMetrics.hasExecutionStats)
    let index = try #require(plan[0].explainMetrics.planSummary.indexesUsed.first).fields
    #expect(index["properties"]?.stringValue == "(__name__ ASC)")
    #expect(index["query_scope"]?.stringValue == "Collection")

    let run = try await runQuery { $0.explainOptions.analyze = true }
    #expect(run.map(\.hasDocument) == [true, true])
    #expect(run.map(\.hasExplainMetrics) == [false, true])
    let statistics = try #require(run.last).explainMetrics.executionStats
    #expect(statistics.resultsReturned == 2 && statistics.readOperations == 2)
    #expect(statistics.executionDuration.nanos > 0 || statistics.executionDuration.seconds > 0)
    #expect(
      Set(statistics.debugStats.fields.keys)
        == ["billing_details", "documents_scanned", "index_entries_scanned"]
    )
  }

  @Test func `aggregations are returned in one message, with an explanation on request`()
    async throws
  {
    for id in ["x", "y"] { try firestore.set("c/\(id)", ["n": 2]) }
    let answers = try await aggregate { $0.explainOptions.analyze = true }
    #expect(answers.count == 1 && answers[0].hasReadTime)
    #expect(try Fields(answers[0].result.aggregateFields) == ["field_1": 2, "total": 4])
    #expect(answers[0].explainMetrics.executionStats.resultsReturned == 1)
    let plan = try await aggregate { $0.explainOptions = .init() }
    #expect(plan.count == 1 && !plan[0].hasResult && plan[0].hasExplainMetrics)
    #expect(plan[0].explainMetrics.planSummary == answers[0].explainMetrics.planSummary)
    let index = try #require(plan[0].explainMetrics.planSummary.indexesUsed.first).fields
    #expect(index["properties"]?.stringValue == "(n ASC, __name__ ASC)")
  }

  @Test func `a request without a query is refused`() async {
    let missing = invalid("only structured queries are supported")
    await #expect(throws: missing) { try await runQuery { $0.queryType = nil } }
    await #expect(throws: missing) { try await aggregate { $0.queryType = nil } }
    await #expect(throws: missing) {
      try await aggregate { $0.structuredAggregationQuery.queryType = nil }
    }
    let error = await #expect(throws: StatusError.self) {
      try await aggregate { $0.structuredAggregationQuery.aggregations = [.init()] }
    }
    #expect(error?.code == .invalidArgument)
    let parent = await #expect(throws: StatusError.self) {
      try await runQuery { $0.parent = "\(Firestore.documents)/c" }
    }
    #expect(parent?.code == .invalidArgument)
  }

  // MARK: Collections

  @Test func `collections are listed in pages`() throws {
    for path in ["a/x", "b/x", "c/missing/d/x"] { try firestore.set(path) }
    func list(_ size: Int32, _ token: String) throws -> ProtoListCollectionIdsResponse {
      try service.listCollectionIDs(
        .with { request in
          request.parent = Firestore.documents
          request.pageSize = size
          request.pageToken = token
        },
        context
      )
    }
    let first = try list(2, "")
    #expect(first.collectionIds == ["a", "b"])
    let second = try list(2, first.nextPageToken)
    #expect(second.collectionIds == ["c"] && second.nextPageToken.isEmpty)
    #expect(throws: StatusError.self) { try list(2, "elsewhere!") }
  }

  @Test func `a collection group is split into partitions`() throws {
    let writes = (0..<600).map { index in
      ProtoWrite.with { $0.update = .named("c/\(1000 + index)") }
    }
    _ = try service.commit(
      .with {
        $0.database = Firestore.database
        $0.writes = writes
      },
      context
    ).now
    func partition(
      _ fill: (inout ProtoPartitionQueryRequest) -> Void
    ) throws -> ProtoPartitionQueryResponse {
      try service.partitionQuery(
        .with { request in
          request.parent = Firestore.documents
          request.structuredQuery.from = [
            .with {
              $0.collectionID = "c"
              $0.allDescendants = true
            }
          ]
          request.structuredQuery.orderBy = [.with { $0.field.fieldPath = "__name__" }]
          request.partitionCount = 3
          fill(&request)
        },
        context
      )
    }
    let all = try partition { _ in }.partitions
    #expect(all.count == 3 && all.allSatisfy { $0.values.count == 1 })
    #expect(all.map(\.values[0].referenceValue).sorted() == all.map(\.values[0].referenceValue))
    let first = try partition { $0.pageSize = 2 }
    let second = try partition { $0.pageToken = first.nextPageToken }
    #expect(first.partitions + second.partitions == all && second.nextPageToken.isEmpty)

    let refused: [(inout ProtoPartitionQueryRequest) -> Void] = [
      { $0.structuredQuery.from[0].allDescendants = false }, { $0.structuredQuery.limit = 1 },
      { $0.structuredQuery.orderBy[0].direction = .descending }, { $0.partitionCount = -1 },
      { $0.pageToken = "elsewhere" }, { $0.pageSize = -1 }, { $0.queryType = nil },
    ]
    for fill in refused {
      let error = #expect(throws: StatusError.self) { try partition(fill) }
      #expect(error?.code == .invalidArgument)
    }
  }
}
