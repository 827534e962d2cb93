import Core
import FirestoreClient
import FirestoreModel
import GoogleAuth
import HTTPClient
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FirestoreClientTests {
  private static let root = "projects/p/databases/(default)/documents"
  private static let database = DatabaseName(project: "p")
  private static let target = "/v1/projects/p/databases/%28default%29/documents"
  private static let readTime = #""readTime":"2026-01-01T00:00:00Z""#

  private final class Commits: Sendable {
    private let list = Mutex<[[Write]]>([])
    var all: [[Write]] { list.withLock { $0 } }
    func add(_ writes: [Write]) { list.withLock { $0.append(writes) } }
  }

  private func client(
    port: UInt16,
    tokens: (any AccessTokenSource)? = nil,
    onCommit: @escaping @Sendable ([Write]) -> Void = { _ in }
  ) throws -> FirestoreClient {
    let host = "127.0.0.1:\(port)"
    let endpoint = tokens.map {
      FirestoreEndpoint(
        baseURL: "http://\(host)",
        authorization: .accessToken($0),
        database: Self.database
      )
    }
    return FirestoreClient(
      endpoint: try endpoint ?? .emulator(host: host, database: Self.database),
      transport: .forTests(),
      deadline: .generous,
      traceparent: "trace",
      onCommit: onCommit
    )
  }

  private func body(_ request: ReceivedRequest) -> String {
    String(decoding: request.body, as: UTF8.self)
  }

  @Test func `an access token that is refused is renewed once`() async throws {
    let refusal = ScriptedAnswer(401, #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#)
    let server = try LoopbackServer(answers: [
      refusal, .init(200, #"{"commitTime":"2026-01-01T00:00:00Z"}"#), refusal,
    ])
    defer { server.stop() }
    let client = try client(port: server.port, tokens: RenewedTokens())
    try await client.commit([])
    let error = await #expect(throws: StatusError.self) { try await client.commit([]) }
    #expect(error?.code == .unauthenticated)
    #expect(error?.fault == .configuration)
    #expect(
      server.requests.map { $0.headers["authorization"] }
        == ["Bearer t1", "Bearer t2", "Bearer t2", "Bearer t3"]
    )
  }

  // MARK: Reading

  @Test func `documents are read in one request, and missing ones are left out`() async throws {
    let server = try LoopbackServer(answers: [
      .init(
        200,
        #"[{"missing":"\#(Self.root)/a/2",\#(Self.readTime)},"#
          + #"{"found":{"name":"\#(Self.root)/a/1","fields":{"n":{"integerValue":"7"}},"new":1},\#(Self.readTime)}]"#
      )
    ])
    defer { server.stop() }
    let client = try client(port: server.port)
    let names = [try client.name("a/1"), try client.name("a/2")]
    let documents = try await client.documents(names)
    #expect(documents.keys.map(\.description) == ["\(Self.root)/a/1"])
    #expect(documents[names[0]]?.fields == ["n": 7])

    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "\(Self.target):batchGet")
    #expect(request.headers["authorization"] == "Bearer owner")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["traceparent"] == "trace")
    #expect(body(request) == #"{"documents":["\#(Self.root)/a/1","\#(Self.root)/a/2"]}"#)
  }

  @Test func `a snapshot is extended by the missing documents, each read once`() async throws {
    let later = #""readTime":"2030-01-01T00:00:00Z""#
    let server = try LoopbackServer(answers: [
      .init(200, #"[{"missing":"\#(Self.root)/a/1",\#(Self.readTime)}]"#),
      .init(200, #"[{"found":{"name":"\#(Self.root)/a/2"},\#(later)}]"#),
    ])
    defer { server.stop() }
    let client = try client(port: server.port)
    let names = [try client.name("a/1"), try client.name("a/2")]
    let first = try await client.snapshot([names[0]])
    #expect(first.covers(names[0]))
    #expect(!first.covers(names[1]))
    #expect(try await client.extended(first, by: [names[0]]).readTime == first.readTime)
    let both = try await client.extended(first, by: names + names)
    #expect(names.allSatisfy(both.covers))
    #expect(both[names[0]] == nil)
    #expect(both[names[1]] != nil)
    #expect(both.readTime == first.readTime, "the read time is that of the first request")
    #expect(server.requests.map(body).last == #"{"documents":["\#(Self.root)/a/2"]}"#)
    #expect(server.requests.count == 2)
  }

  @Test func `reading no documents sends no request`() async throws {
    let server = try LoopbackServer(answers: [.init(500)])
    defer { server.stop() }
    #expect(try await client(port: server.port).documents([]).isEmpty)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["[]", #"[{\#(readTime)}]"#, #"[{"missing":"\#(root)/a/2",\#(readTime)}]"#])
  func `an answer without a document doesn't mean that it is missing`(
    answer: String
  ) async throws {
    let server = try LoopbackServer(answers: [.init(200, answer)])
    defer { server.stop() }
    let client = try client(port: server.port)
    let error = await #expect(throws: StatusError.self) {
      try await client.document(client.name("a/1"))
    }
    #expect(error?.code == .unavailable)
  }

  @Test func `a query's parent may have any character in its ids`() async throws {
    let server = try LoopbackServer(answers: [
      .init(
        200,
        #"[{"document":{"name":"\#(Self.root)/a/1"},\#(Self.readTime)},{\#(Self.readTime),"done":true}]"#
      )
    ])
    defer { server.stop() }
    let client = try client(port: server.port)
    let ids: [(String, String)] = [
      ("a b", "a%20b"), ("a:b", "a%3Ab"), ("ü", "%C3%BC"), ("%2F", "%252F"),
      ("?#&+", "%3F%23%26%2B"),
      ("\u{301}x", "%CC%81x"), ("x\u{0}", "x%00"), ("👩‍👧", "%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"),
    ]
    let query = StructuredQuery(
      from: "messages",
      orderBy: [.init(FieldPath("timestamp"), .descending)],
      limit: 2
    )
    for (id, encoded) in ids {
      let parent = try DocumentName(
        database: Self.database,
        path: ResourcePath(segments: ["c", id])
      )
      let documents = try await client.run(query, below: parent)
      #expect(documents.map(\.name.id) == ["1"])
      #expect(server.requests.last?.target == "\(Self.target)/c/\(encoded):runQuery")
    }
    #expect(try await client.run(query).count == 1)
    let request = try #require(server.requests.last)
    #expect(request.target == "\(Self.target):runQuery")
    #expect(
      body(request)
        == #"{"structuredQuery":{"from":[{"collectionId":"messages"}],"limit":2,"#
        + #""orderBy":[{"direction":"DESCENDING","field":{"fieldPath":"timestamp"}}]}}"#
    )
  }

  @Test func `an empty answer to a query has no document`() async throws {
    let server = try LoopbackServer(answers: [.init(200, "[{\(Self.readTime)}]")])
    defer { server.stop() }
    #expect(try await client(port: server.port).run(StructuredQuery(from: "a")).isEmpty)
  }

  @Test func `a failure after the first documents is a failure`() async throws {
    let server = try LoopbackServer(answers: [
      .init(
        200,
        #"[{"document":{"name":"\#(Self.root)/a/1"},\#(Self.readTime)},"#
          + #"{"error":{"code":503,"message":"gone","status":"UNAVAILABLE"}}]"#
      )
    ])
    defer { server.stop() }
    let client = try client(port: server.port)
    await #expect(throws: Self.firestoreSays(.unavailable, "gone")) {
      try await client.run(StructuredQuery(from: "a"))
    }
    await #expect(throws: Self.firestoreSays(.unavailable, "gone")) {
      try await client.document(client.name("a/1"))
    }
  }

  @Test func `a missing index is a configuration error, not the event's`() async throws {
    let error = #"{"error":{"code":400,"message":"why","status":"FAILED_PRECONDITION"}}"#
    for status in [400, 200] {
      let server = try LoopbackServer(answers: [.init(status, "[\(error)]")])
      defer { server.stop() }
      let client = try client(port: server.port)
      await #expect(
        throws: StatusError.configuration(.failedPrecondition, "Firestore: why")
      ) {
        try await client.run(StructuredQuery(from: "a"))
      }
    }
  }

  // MARK: Writing

  @Test func `a commit sends masks, preconditions and transforms, and is reported once`()
    async throws
  {
    let server = try LoopbackServer(answers: [
      .init(
        200,
        #"{"writeResults":[{"updateTime":"2026-01-01T00:00:00.000001Z"},{}],"commitTime":"2026-01-01T00:00:00.000001Z"}"#
      )
    ])
    defer { server.stop() }
    let commits = Commits()
    let client = try client(port: server.port, tokens: RenewedTokens(), onCommit: commits.add)
    let name = try client.name("a/1")
    let writes = [
      Write(
        .update(Document(name: name, fields: ["x": "y"])),
        updateMask: FieldMask([FieldPath("translations", "pt-BR"), FieldPath("x")]),
        updateTransforms: [.init(FieldPath("n"), .increment(1))],
        currentDocument: .updateTime(Timestamp(seconds: 1, nanoseconds: 123_456_000))
      ),
      Write(.delete(name), currentDocument: .exists(true)),
    ]
    let response = try await client.commit(writes)
    #expect(response.commitTime == Timestamp(seconds: 1_767_225_600, nanoseconds: 1_000))
    #expect(commits.all == [writes])
    let request = try #require(server.requests.first)
    #expect(request.target == "\(Self.target):commit")
    #expect(request.headers["authorization"] == "Bearer t1")
    #expect(
      body(request)
        == #"{"writes":[{"currentDocument":{"updateTime":"1970-01-01T00:00:01.123456Z"},"#
        + #""update":{"fields":{"x":{"stringValue":"y"}},"name":"\#(Self.root)/a/1"},"#
        + #""updateMask":{"fieldPaths":["translations.`pt-BR`","x"]},"#
        + #""updateTransforms":[{"fieldPath":"n","increment":{"integerValue":"1"}}]},"#
        + #"{"currentDocument":{"exists":true},"delete":"\#(Self.root)/a/1"}]}"#
    )
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var answer: ScriptedAnswer
    var error: StatusError
    var requests: Int
    var testDescription: String { "\(answer.status) \(answer.body)" }

    init(_ answer: ScriptedAnswer, _ error: StatusError, requests: Int = 1) {
      self.answer = answer
      self.error = error
      self.requests = requests
    }
  }

  /// Returns the client's error for an error response of Firestore.
  private static func firestoreSays(
    _ code: StatusCode,
    _ message: String,
    retryAfter: Duration? = nil
  ) -> StatusError {
    StatusError(code, "Firestore: \(message)", retryAfter: retryAfter, isOthersWords: true)
  }

  private static func firestore(_ status: Int, _ name: String, headers: [String] = [])
    -> ScriptedAnswer
  {
    .init(
      status,
      headers: headers,
      #"{"error":{"code":\#(status),"message":"why","status":"\#(name)","details":[{}]}}"#
    )
  }

  static let failures: [Failure] = [
    Failure(
      firestore(400, "FAILED_PRECONDITION"),
      firestoreSays(.failedPrecondition, "why")
    ),
    Failure(
      firestore(400, "INVALID_ARGUMENT"),
      firestoreSays(.invalidArgument, "why")
    ),
    Failure(
      .init(400, #"[{"error":{"code":400,"message":"why","status":"INVALID_ARGUMENT"}}]"#),
      firestoreSays(.invalidArgument, "why")
    ),
    Failure(
      firestore(404, "NOT_FOUND"),
      firestoreSays(.notFound, "why")
    ),
    Failure(
      firestore(409, "ALREADY_EXISTS"),
      firestoreSays(.alreadyExists, "why")
    ),
    Failure(
      firestore(409, "ABORTED"),
      firestoreSays(.aborted, "why")
    ),
    Failure(.init(409), firestoreSays(.aborted, "HTTP 409")),
    Failure(
      firestore(401, "UNAUTHENTICATED"),
      .configuration(.unauthenticated, "Firestore: why")
    ),
    Failure(
      firestore(403, "PERMISSION_DENIED"),
      .configuration(.permissionDenied, "Firestore: why")
    ),
    Failure(.init(403, "<html>"), .configuration(.permissionDenied, "Firestore: HTTP 403")),
    Failure(
      firestore(429, "RESOURCE_EXHAUSTED", headers: ["Retry-After: 90"]),
      firestoreSays(.resourceExhausted, "why", retryAfter: .seconds(90))
    ),
    Failure(
      firestore(429, "RESOURCE_EXHAUSTED"),
      firestoreSays(.resourceExhausted, "why"),
      requests: 3
    ),
    Failure(
      firestore(503, "UNAVAILABLE"),
      firestoreSays(.unavailable, "why"),
      requests: 3
    ),
    // After these errors, the commit may have taken effect, so the client doesn't send it again.
    Failure(
      firestore(500, "INTERNAL"),
      firestoreSays(.internal, "why")
    ),
    Failure(
      .init(502, "<html>"),
      firestoreSays(.unavailable, "HTTP 502")
    ),
    Failure(
      firestore(504, "DEADLINE_EXCEEDED"),
      firestoreSays(.deadlineExceeded, "why")
    ),
    Failure(.init(200), StatusError(.unavailable, "Firestore's response is empty")),
    Failure(
      .init(200, "<html>"),
      StatusError(
        .unavailable,
        "Firestore's response is not valid JSON, or has a number out of range"
      )
    ),
    Failure(
      .init(200, "[]"),
      StatusError(.unavailable, "Firestore's response has the wrong type (expected an object)")
    ),
  ]

  @Test(arguments: failures)
  func `a failed commit is not reported`(failure: Failure) async throws {
    let server = try LoopbackServer(answers: [failure.answer])
    defer { server.stop() }
    let commits = Commits()
    let client = try client(port: server.port, onCommit: commits.add)
    await #expect(throws: failure.error) {
      try await client.commit([Write(.delete(client.name("a/1")))])
    }
    #expect(commits.all.isEmpty)
    #expect(server.requests.count == failure.requests)
  }

  @Test func `a read is retried where a commit isn't`() async throws {
    let server = try LoopbackServer(answers: [
      .init(500), .init(502, "<html>"), .init(200, "[{\(Self.readTime)}]"),
    ])
    defer { server.stop() }
    #expect(try await client(port: server.port).run(StructuredQuery(from: "a")).isEmpty)
    #expect(server.requests.count == 3)
  }

  // MARK: Endpoints

  @Test func `an unreachable emulator is reported with its variable`() async throws {
    let (descriptor, port) = try LoopbackSocket.bound()
    defer { close(descriptor) }
    let client = try client(port: port)
    let error = await #expect(throws: StatusError.self) {
      try await client.run(StructuredQuery(from: "a"))
    }
    #expect(error?.code == .unavailable)
    #expect(error?.fault == .request)
    #expect(error?.message.contains("FIRESTORE_EMULATOR_HOST") == true)
  }

  @Test(arguments: ["", "localhost", "http://localhost:8080", "localhost:8080/", "8080"])
  func `an emulator's host has a port and no scheme`(host: String) {
    let error = StatusError.configuration(
      .failedPrecondition,
      "FIRESTORE_EMULATOR_HOST must be host:port, without a scheme"
    )
    #expect(throws: error) { try FirestoreEndpoint.emulator(host: host, database: Self.database) }
  }

  @Test func `an emulator takes an owner, production an access token over TLS`() throws {
    let emulator = try FirestoreEndpoint.emulator(host: "[::1]:8080", database: Self.database)
    #expect(emulator.baseURL == "http://[::1]:8080")
    #expect(emulator.isEmulator)
    let production = FirestoreEndpoint.production(database: Self.database, tokens: RenewedTokens())
    #expect(production.baseURL == "https://firestore.googleapis.com")
    #expect(!production.isEmulator)
  }

  @Test(arguments: ["a", "", "a/b/c", "a//b/c", "a/.."])
  func `an invalid document path has no name`(path: String) throws {
    let client = try client(port: 1)
    let error = #expect(throws: StatusError.self) { try client.name(path) }
    #expect(error?.code == .invalidArgument)
  }
}
