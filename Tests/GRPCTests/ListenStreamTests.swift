import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import HTTPServer
import Logging
import NIOCore
import ServiceLifecycle
import Services
import SwiftProtobuf
import Synchronization
import Testing

@testable import GRPC
@testable import Store
@testable import echoServer

/// Firestore's `Listen` stream as bytes: how it ends, and clients that break the protocol.
@Suite(.timeLimit(.minutes(10)))
struct ListenStreamTests {
  private static let database = DatabaseName(project: "p")
  private static let path = "/google.firestore.v1.Firestore/Listen"
  private let store: Store

  private var service: FirestoreGRPC {
    FirestoreGRPC(FirestoreService(project: "p", store: store) { "x" })
  }

  /// Returns a request to listen to a collection, framed as a gRPC message.
  private static func request(_ collection: String = "c") throws -> [UInt8] {
    let request = ProtoListenRequest.with {
      $0.database = database.description
      $0.addTarget.targetID = 2
      $0.addTarget.query.parent = database.documents
      $0.addTarget.query.structuredQuery.from = [.with { $0.collectionID = collection }]
    }
    return HTTP2Connection.framed(try request.serializedBytes())
  }

  private static func responses(_ messages: [ByteBuffer]) throws -> [ProtoListenResponse] {
    try messages.map { try ProtoListenResponse(serializedBytes: Array($0.readableBytesView)) }
  }

  private func set(_ path: String, bytes: Int = 1) async throws {
    let name = try DocumentName(database: Self.database, path: ResourcePath(path))
    let text = Value.string(String(repeating: "x", count: bytes))
    let document = Document(name: name, fields: ["text": text])
    _ = try await store.commit([Write(.update(document))], in: Self.database)
  }

  /// Waits until the store has no listener.
  private func silence() async {
    while store.state.withLock({ !$0.watches.isEmpty }) { await Task.yield() }
  }

  @Test func `a stream that its client has finished ends with OK after all responses`() async throws
  {
    try await set("c/a")
    let reply = try #require(
      try await withEchoConnection(service: service) { connection in
        try await connection.send([
          connection.headers(Self.path, stream: 1),
          connection.data(Self.request(), stream: 1),
        ])
        return try await connection.reply(of: 1)
      }
    )
    #expect(reply.status == 0)
    // The responses are ADD, the document, CURRENT and the snapshot.
    #expect(try Self.responses(reply.messages).count == 4)
    await silence()
  }

  @Test func `a request cut at any byte does no harm`() async throws {
    let request = try Self.request()
    let service = service
    try await withEcho(service: service) { port in
      for count in 0..<request.count {
        let reply = try await HTTP2Connection.with(port: port) { connection in
          try await connection.begin()
          try await connection.send([
            connection.headers(Self.path, stream: 1),
            connection.data(Array(request[..<count]), stream: 1),
          ])
          return try await connection.reply(of: 1)
        }
        #expect(reply?.status == (count == 0 ? 0 : 3), "\(count)")
        // Then the client closes the connection without resetting the stream.
        try await HTTP2Connection.with(port: port) { connection in
          try await connection.begin()
          try await connection.send([
            connection.headers(Self.path, stream: 1),
            connection.data(request + request[..<count], stream: 1, isEnd: false),
          ])
          _ = try await connection.messages(of: 1, atLeast: 1)
        }
      }
    }
    await silence()
  }

  @Test func `a write cut at any byte is not made, and earlier ones are`() async throws {
    func framed(_ change: (inout ProtoWriteRequest) -> Void) throws -> [UInt8] {
      HTTP2Connection.framed(try ProtoWriteRequest.with(change).serializedBytes())
    }
    func writing(_ id: String) throws -> [UInt8] {
      try framed {
        $0.streamToken = Data([1])
        $0.writes = [.with { $0.update.name = "\(Self.database.documents)/c/\(id)" }]
      }
    }
    let handshake = try framed { $0.database = Self.database.description }
    let (whole, cut) = (try writing("whole"), try writing("cut"))
    try await withEcho(service: service) { port in
      for count in 1..<cut.count {
        let reply = try await HTTP2Connection.with(port: port) { connection in
          try await connection.begin()
          try await connection.send([
            connection.headers("/google.firestore.v1.Firestore/Write", stream: 1),
            connection.data(handshake + whole, stream: 1, isEnd: false),
          ])
          _ = try await connection.messages(of: 1, atLeast: 2)
          try await connection.send(connection.data(Array(cut[..<count]), stream: 1))
          return try await connection.reply(of: 1)
        }
        #expect(reply?.status == 3 && reply?.messages.count == 2, "\(count)")
      }
    }
    #expect(store.document(try DocumentName("\(Self.database.documents)/c/whole")) != nil)
    #expect(store.document(try DocumentName("\(Self.database.documents)/c/cut")) == nil)
  }

  @Test func `a client that compresses gets compressed responses`() async throws {
    let gzip = [("grpc-encoding", "gzip"), ("grpc-accept-encoding", "gzip")]
    let store = store
    let messages = try await withEchoConnection(service: service) { connection in
      try await connection.send([
        connection.headers(Self.path, stream: 1, gzip),
        connection.data(Self.request(), stream: 1, isEnd: false),
      ])
      _ = try await connection.messages(of: 1, atLeast: 3)
      try await ListenStreamTests(store).set("c/a")
      return try await connection.messages(of: 1, atLeast: 5)
    }
    let responses = try Self.responses(messages.map { try Gzip.inflate($0, limit: 10_000) })
    #expect(responses[3].documentChange.targetIds == [2])
    #expect(responses[4].targetChange.hasReadTime)
  }

  @Test func `a client that doesn't read during writes is disconnected, and only that one`()
    async throws
  {
    let store = store
    let status = try await withEchoConnection(service: service) { connection in
      try await connection.grantWindow(1 << 30, stream: 0)
      for (stream, collection) in [(1, "c"), (3, "d")] as [(UInt32, String)] {
        try await connection.send([
          connection.headers(Self.path, stream: stream),
          connection.data(Self.request(collection), stream: stream, isEnd: false),
        ])
        _ = try await connection.messages(of: stream, atLeast: 3)
      }
      // The data is three times the limit of the listener's buffer. The stream may send as much as
      // the limit before the client's window is full. The remaining data must exceed the limit.
      for number in 0..<100 {
        try await ListenStreamTests(store).set("c/\(number)", bytes: 500_000)
      }
      try await ListenStreamTests(store).set("d/a")
      _ = try await connection.messages(of: 3, atLeast: 5)
      try await connection.reset(3)
      try await connection.grantWindow(1 << 30, stream: 1)
      return try await connection.reply(of: 1)?.status
    }
    #expect(status == 8)
    await silence()
  }

  @Test func `at the end of the server listeners get a status after which clients reconnect`()
    async throws
  {
    let (ports, onReady) = AsyncStream<Int>.makeStream()
    let listener = HTTPListener(
      EchoPage(),
      http2: RPCServer(service),
      host: "127.0.0.1",
      port: 0,
      policy: RequestGuard(),
      logger: Logger(label: "listen") { _ in SwiftLogNoOpLogHandler() }
    ) { port in
      onReady.yield(port)
    }
    let services = ServiceGroup(
      configuration: .init(
        services: [.init(service: listener)],
        logger: Logger(label: "listen") { _ in SwiftLogNoOpLogHandler() }
      )
    )
    async let running: Void = services.run()
    var port = 0
    for await found in ports {
      port = found
      break
    }
    let status = try await HTTP2Connection.with(port: port) { connection in
      try await connection.begin()
      try await connection.send([
        connection.headers(Self.path, stream: 1),
        connection.data(Self.request(), stream: 1, isEnd: false),
      ])
      _ = try await connection.messages(of: 1, atLeast: 3)
      await services.triggerGracefulShutdown()
      return try await connection.reply(of: 1)?.status
    }
    try await running
    #expect(status == 14)
    await silence()
  }
}

extension ListenStreamTests {
  private init(_ store: Store) { self.store = store }

  init() { self.init(Store()) }
}
