import FirestoreProtos
package import GRPC
import RPCStatus
import Store
import SwiftProtobuf

/// Firestore's door for gRPC. Methods that aren't built are refused by name.
package struct FirestoreRPC: RPCService {
  private let methods: [String: RPCMethod]

  package init(_ service: FirestoreService) {
    let project = service.project
    let unary: [String: RPCMethod] = [
      "GetDocument": .attempt(project, service.getDocument),
      "ListDocuments": .attempt(project, service.listDocuments),
      "CreateDocument": .attempt(project, service.createDocument),
      "UpdateDocument": .attempt(project, service.updateDocument),
      "DeleteDocument": .attempt(project, service.deleteDocument),
      "BeginTransaction": .answer(project, service.beginTransaction),
      "Commit": .attempt(project, service.commit),
      "Rollback": .answer(project, service.rollback),
      "PartitionQuery": .answer(project, service.partitionQuery),
      "ListCollectionIds": .answer(project, service.listCollectionIDs),
      "BatchWrite": .attempt(project, service.batchWrite),
    ]
    let streaming: [String: RPCMethod] = [
      "BatchGetDocuments": .stream(project, service.batchGetDocuments),
      "RunQuery": .stream(project, service.runQuery),
      "RunAggregationQuery": .stream(project, service.runAggregationQuery),
      "Listen": .bidirectional { requests, call, writer throws(StatusError) in
        try await service.listen(requests, RequestContext(call, project)) {
          responses throws(StatusError) in try await writer.write(responses)
        }
      },
      "Write": .bidirectional {
        (requests: RPCMessages<ProtoWriteRequest>, call, writer) throws(StatusError) in
        var session = WriteSession(service, try RequestContext(call, project))
        for try await request in requests {
          try await writer.write(try await session.respond(to: request))
        }
      },
    ]
    let unbuilt: [String: RPCMethod] = [
      "ExecutePipeline": .refusing(
        StatusError(.unimplemented, "ExecutePipeline is not built yet")
      )
    ]
    var methods: [String: RPCMethod] = [:]
    // Old clients call the same methods by another version's name.
    for version in ["v1", "v1beta1"] {
      for (name, method) in Array(unary) + Array(streaming) + Array(unbuilt) {
        methods["/google.firestore.\(version).Firestore/\(name)"] = method
      }
    }
    methods["/google.firestore.emulator.v1.FirestoreEmulator/ClearData"] =
      .attempt(project, service.clearData)
    self.methods = methods
  }

  package func method(_ path: String) -> RPCMethod? { methods[path] }
}

extension RPCMethod {
  fileprivate static func answer<Request: Message, Response: Message>(
    _ project: String,
    _ handler: @escaping @Sendable (Request, RequestContext) throws(StatusError) -> Response
  ) -> RPCMethod {
    .unary { (request: Request, call) throws(StatusError) in
      .done(try handler(request, RequestContext(call, project)))
    }
  }

  fileprivate static func attempt<Request: Message, Response: Message>(
    _ project: String,
    _ handler:
      @escaping @Sendable (Request, RequestContext) throws(StatusError) -> Attempt<Response>
  ) -> RPCMethod {
    .unary { (request: Request, call) throws(StatusError) in
      switch try handler(request, RequestContext(call, project)) {
      case .done(let response): return .done(response)
      case .blocked(let wait): return .pending(wait)
      }
    }
  }

  fileprivate static func stream<Request: Message, Response: Message>(
    _ project: String,
    _ handler:
      @escaping @Sendable (Request, RequestContext)
      async throws(StatusError) -> ResponseStream<Response>
  ) -> RPCMethod {
    .serverStreaming { (request: Request, call, writer: RPCWriter<Response>) throws(StatusError) in
      try await handler(request, RequestContext(call, project)).forEach {
        responses throws(StatusError) in try await writer.write(responses)
      }
    }
  }
}

extension RequestContext {
  fileprivate init(_ call: RPCContext, _ project: String) throws(StatusError) {
    try self.init(project: project) { call.metadata[$0] }
  }
}
