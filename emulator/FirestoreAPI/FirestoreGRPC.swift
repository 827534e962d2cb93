import Core
import FirestoreProtos
package import GRPC
import Store
import SwiftProtobuf

/// The gRPC service with Firestore's methods. Methods that aren't implemented are refused with an
/// error that names them.
package struct FirestoreGRPC: RPCService {
  private let methods: [ByteKey: RPCMethod]

  package init(_ service: FirestoreService) {
    let unary: [String: RPCMethod] = [
      "GetDocument": .attempt(service, service.getDocument),
      "ListDocuments": .attempt(service, service.listDocuments),
      "CreateDocument": .attempt(service, service.createDocument),
      "UpdateDocument": .attempt(service, service.updateDocument),
      "DeleteDocument": .attempt(service, service.deleteDocument),
      "BeginTransaction": .answer(service, service.beginTransaction),
      "Commit": .attempt(service, service.commit),
      "Rollback": .answer(service, service.rollback),
      "PartitionQuery": .answer(service, service.partitionQuery),
      "ListCollectionIds": .answer(service, service.listCollectionIDs),
      "BatchWrite": .attempt(service, service.batchWrite),
    ]
    let streaming: [String: RPCMethod] = [
      "BatchGetDocuments": .stream(service, service.batchGetDocuments),
      "RunQuery": .stream(service, service.runQuery),
      "RunAggregationQuery": .stream(service, service.runAggregationQuery),
      "Listen": .bidirectional { requests, call, writer throws(StatusError) in
        try await service.listen(requests, RequestContext(call, service)) {
          portions throws(StatusError) in
          var frames: [FramedMessages<ProtoListenResponse>] = []
          for portion in portions { frames.append(try portion.frames()) }
          try await writer.write(frames)
        }
      },
      "Write": .bidirectional {
        (requests: RPCMessages<ProtoWriteRequest>, call, writer) throws(StatusError) in
        var session = WriteSession(service, try RequestContext(call, service))
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
    var methods: [ByteKey: RPCMethod] = [:]
    // Old clients call the same methods with an earlier version in the service's name.
    for version in ["v1", "v1beta1"] {
      for (name, method) in Array(unary) + Array(streaming) + Array(unbuilt) {
        methods["/google.firestore.\(version).Firestore/\(name)"] = method
      }
    }
    methods["/google.firestore.emulator.v1.FirestoreEmulator/ClearData"] =
      .attempt(service, service.clearData)
    self.methods = methods
  }

  package func method(_ path: String) -> RPCMethod? {
    methods[path] ?? (AdminAPI.owns(path) ? .refusing(AdminAPI.refusal) : nil)
  }
}

extension RPCMethod {
  fileprivate static func answer<Request: Message, Response: Message>(
    _ service: FirestoreService,
    _ handler: @escaping @Sendable (Request, RequestContext) throws(StatusError) -> Response
  ) -> RPCMethod {
    .unary { (request: Request, call) throws(StatusError) in
      .done(try handler(request, RequestContext(call, service)))
    }
  }

  fileprivate static func attempt<Request: Message, Response: Message>(
    _ service: FirestoreService,
    _ handler:
      @escaping @Sendable (Request, RequestContext) throws(StatusError) -> MaybePending<Response>
  ) -> RPCMethod {
    .unary { (request: Request, call) throws(StatusError) in
      try handler(request, RequestContext(call, service))
    }
  }

  fileprivate static func stream<Request: Message, Response: Message>(
    _ service: FirestoreService,
    _ handler:
      @escaping @Sendable (Request, RequestContext)
      async throws(StatusError) -> ResponseStream<Response>
  ) -> RPCMethod {
    .serverStreaming { (request: Request, call, writer: RPCWriter<Response>) throws(StatusError) in
      try await handler(request, RequestContext(call, service)).forEach {
        responses throws(StatusError) in try await writer.write(responses)
      }
    }
  }
}

extension RequestContext {
  fileprivate init(_ call: RPCContext, _ service: FirestoreService) throws(StatusError) {
    self = try service.context { call.metadata[$0] }
  }
}
