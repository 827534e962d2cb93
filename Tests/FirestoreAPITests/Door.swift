import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import SwiftProtobuf
import TestKit

/// A way to Firestore's data that security rules guard.
enum Door: CaseIterable {
  case get, getInTransaction, getInPast, batchGet, batchGetBeginning
  case list, listByField, query, queryGroup, queryAll, queryInTransaction, queryBeginning
  case explain, analyze, count, countExplained
  case listenDocument, listenQuery
  case create, update, delete, commit, commitVerify, commitTransform, commitTransaction, writeStream

  /// The method that rules decide on.
  var method: String {
    switch self {
    case .get, .getInTransaction, .getInPast, .batchGet, .batchGetBeginning, .listenDocument,
      .commitVerify:
      "get"
    case .list, .listByField, .query, .queryGroup, .queryAll, .queryInTransaction, .queryBeginning,
      .explain, .analyze, .count, .countExplained, .listenQuery:
      "list"
    case .create: "create"
    case .delete: "delete"
    case .update, .commit, .commitTransform, .commitTransaction, .writeStream: "update"
    }
  }

  /// Goes through the door to the document `c/a`, which exists, or to the collection `c`.
  ///
  /// - Throws: The error that the caller gets.
  func enter(_ guarded: GuardedFirestore, as context: RequestContext) async throws {
    switch self {
    case .get: try await get(guarded, context) { _ in }
    case .getInTransaction:
      let id = try guarded.begin(as: context)
      try await get(guarded, context) { $0.transaction = id }
    case .getInPast:
      let time = try guarded.firestore.get("c/a").updateTime
      try await get(guarded, context) { $0.readTime = time }
    case .batchGet: _ = try await guarded.batchGet(as: context, "c/a", "c/missing")
    case .batchGetBeginning:
      _ = try await guarded.service.batchGetDocuments(
        .with {
          $0.database = Firestore.database
          $0.documents = [Firestore.name("c/a")]
          $0.newTransaction = .init()
        },
        context
      ).collected()
    case .list: try await list(guarded, context) { _ in }
    case .listByField: try await list(guarded, context) { $0.orderBy = "x" }
    case .query, .queryGroup, .queryAll, .queryInTransaction, .queryBeginning, .explain, .analyze:
      try await query(guarded, context)
    case .count, .countExplained: try await count(guarded, context)
    case .listenDocument, .listenQuery: try await listen(guarded, context)
    case .create, .update, .delete, .commit, .commitVerify, .commitTransform, .commitTransaction,
      .writeStream:
      try await write(guarded, context)
    }
  }

  private func get(
    _ guarded: GuardedFirestore,
    _ context: RequestContext,
    _ fill: (inout ProtoGetDocumentRequest) -> Void
  ) async throws {
    let request = ProtoGetDocumentRequest.with {
      $0.name = Firestore.name("c/a")
      fill(&$0)
    }
    _ = try await guarded.service.getDocument(request, context).value()
  }

  private func list(
    _ guarded: GuardedFirestore,
    _ context: RequestContext,
    _ fill: (inout ProtoListDocumentsRequest) -> Void
  ) async throws {
    let request = ProtoListDocumentsRequest.with {
      $0.parent = Firestore.documents
      $0.collectionID = "c"
      fill(&$0)
    }
    _ = try await guarded.service.listDocuments(request, context).value()
  }

  private func query(_ guarded: GuardedFirestore, _ context: RequestContext) async throws {
    let id = self == .queryInTransaction ? try guarded.begin(as: context) : nil
    let request = ProtoRunQueryRequest.with {
      $0.parent = Firestore.documents
      $0.structuredQuery.from = [
        .with {
          if self != .queryAll { $0.collectionID = "c" }
          $0.allDescendants = self == .queryGroup || self == .queryAll
        }
      ]
      if let id { $0.transaction = id }
      if self == .queryBeginning { $0.newTransaction = .init() }
      if self == .explain || self == .analyze { $0.explainOptions.analyze = self == .analyze }
    }
    _ = try await guarded.service.runQuery(request, context).collected()
  }

  private func count(_ guarded: GuardedFirestore, _ context: RequestContext) async throws {
    let request = ProtoRunAggregationQueryRequest.with {
      $0.parent = Firestore.documents
      $0.structuredAggregationQuery.structuredQuery.from = [.with { $0.collectionID = "c" }]
      $0.structuredAggregationQuery.aggregations = [.with { $0.count = .init() }]
      if self == .countExplained { $0.explainOptions.analyze = false }
    }
    _ = try await guarded.service.runAggregationQuery(request, context).collected()
  }

  private func listen(_ guarded: GuardedFirestore, _ context: RequestContext) async throws {
    var stream = Listening(to: guarded.firestore, as: context)
    if self == .listenDocument {
      stream.add(1, documents: "c/a")
    } else {
      stream.add(1, collection: "c")
    }
    var texts = try await stream.next(1)
    while let response = try await stream.next(), !response.isSnapshot {
      texts.append(response.text)
      guard response.targetChange.hasCause else { continue }
      // A refused target is added and removed, and nothing else is said about it.
      guard texts.count == 2, texts[0] == "ADD 1", texts[1].hasPrefix("REMOVE 1 ") else { break }
      let code = response.targetChange.cause.code
      guard code == 7 else { break }
      throw StatusError(.permissionDenied, response.targetChange.cause.message)
    }
    guard texts == ["ADD 1", "+a 1", "CURRENT 1"] else {
      throw StatusError(.internal, "\(texts)")
    }
  }

  private func write(_ guarded: GuardedFirestore, _ context: RequestContext) async throws {
    let service = guarded.service
    switch self {
    case .create:
      _ = try service.createDocument(
        .with {
          $0.parent = Firestore.documents
          $0.collectionID = "c"
        },
        context
      ).now
    case .update: _ = try service.updateDocument(.with { $0.document = .named("c/a") }, context).now
    case .delete:
      _ = try service.deleteDocument(.with { $0.name = Firestore.name("c/a") }, context).now
    case .commitVerify: try guarded.commit(as: context, .verify("c/a", exists: true))
    case .commitTransform:
      try guarded.commit(
        as: context,
        .with {
          $0.transform.document = Firestore.name("c/a")
          $0.transform.fieldTransforms = [
            .with {
              $0.fieldPath = "at"
              $0.setToServerValue = .requestTime
            }
          ]
        }
      )
    case .commitTransaction:
      try guarded.commit(as: context, transaction: guarded.begin(as: context), .set("c/a"))
    case .writeStream:
      var session = WriteSession(service, context)
      let token = try await session.respond(to: .with { $0.database = Firestore.database })
        .streamToken
      _ = try await session.respond(
        to: .with {
          $0.streamToken = token
          $0.writes = [.set("c/a")]
        }
      )
    default: try guarded.commit(as: context, .set("c/a"))
    }
  }
}
