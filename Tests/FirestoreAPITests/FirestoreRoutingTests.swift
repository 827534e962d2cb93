import Authentication
import Core
import Cryptography
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import HTTPService
import Persistence
import Store
import Synchronization
import TestKit
import Testing

struct FirestoreRoutingTests {
  private let door = FirestoreGRPC(Firestore().service)

  @Test(
    arguments: [
      "GetDocument", "ListDocuments", "CreateDocument", "UpdateDocument", "DeleteDocument",
      "BatchGetDocuments", "BeginTransaction", "Commit", "Rollback", "RunQuery",
      "RunAggregationQuery", "PartitionQuery", "ListCollectionIds", "BatchWrite",
      "ExecutePipeline", "Listen", "Write",
    ],
    ["v1", "v1beta1"]
  )
  func `gRPC finds every method`(_ method: String, _ version: String) {
    #expect(door.method("/google.firestore.\(version).Firestore/\(method)") != nil)
  }

  @Test func `gRPC has no other method`() {
    #expect(door.method("/google.firestore.v1.Firestore/Frobnicate") == nil)
    #expect(door.method("/google.firestore.admin.v1.FirestoreAdmin/ListDatabases") != nil)
    #expect(door.method("/google.firestore.emulator.v1.FirestoreEmulator/ClearData") != nil)
  }

  @Test func `the token decides who the caller is`() throws {
    func caller(
      _ authorization: String?,
      project: String = "demo-p"
    ) throws -> RequestContext.Caller {
      try RequestContext(project: project, accounts: AccountStore()) {
        $0 == "authorization" ? authorization : nil
      }.caller
    }
    guard case .admin = try caller("Bearer owner"), case .unauthenticated = try caller(nil),
      case .unauthenticated = try caller("Basic b3duZXI="), case .admin = try caller("bearer owner")
    else { throw StatusError(.internal, "the wrong caller") }
    let token = try UnsignedToken.encode(uid: "sarah", project: "demo-p", now: 0)
    guard case .user(let user) = try caller("Bearer \(token)") else {
      throw StatusError(.internal, "no user")
    }
    #expect(user.uid == "sarah" && user.claims.count > 2)
    for (bad, reason) in [
      ("nonsense", "the token is not a JSON Web Token: it doesn't have three parts"),
      ("", "the token is not a JSON Web Token: it doesn't have three parts"),
      ("a.b.c", "the token is not a JSON Web Token: its header isn't a JSON object in base64url"),
      ("e30.e30.", "the token names no user"),
    ] {
      #expect(throws: invalid("invalid jwt: \(reason)")) { try caller("Bearer \(bad)") }
    }
    // Anybody can make an unsigned token, so it is valid only in its own `demo-` project.
    let stranger = try caller("Bearer \(token)", project: "demo-q")
    let elsewhere = #expect(throws: StatusError.self) { try stranger.check(for: "demo-q") }
    #expect(elsewhere?.code == .permissionDenied)
    #expect(elsewhere?.message.contains(#"for project "demo-p", and the database is in"#) == true)
    try stranger.check(for: "demo-p")
    let real = try UnsignedToken.encode(uid: "sarah", project: "p", now: 0)
    for each in [real, token] {
      let error = #expect(throws: StatusError.self) { try caller("Bearer \(each)", project: "p") }
      #expect(error?.code == .unauthenticated)
      #expect(error?.message.contains("for projects that begin with demo-") == true)
    }
    guard case .admin = try caller("Bearer owner", project: "p"),
      case .unauthenticated = try caller(nil, project: "p")
    else { throw StatusError(.internal, "the wrong caller") }
  }

  @Test(arguments: ["owner", "OWNER", "ya29.a0Af", "YA29.", "service account"])
  func `servers and tools are administrators in every project`(token: String) throws {
    let account = "chat@p.iam.gserviceaccount.com"
    let token =
      token == "service account"
      ? try signed([
        "iss": .string(account), "sub": .string(account),
        "aud": .string("https://firestore.googleapis.com/"),
        "exp": .integer(Timestamp.now.seconds + 60),
      ]) : token
    for project in ["demo-p", "p"] {
      let context = try RequestContext(project: project, accounts: AccountStore()) {
        $0 == "authorization" ? "Bearer \(token)" : nil
      }
      guard case .admin = context.caller else { throw StatusError(.internal, "no administrator") }
    }
  }

  /// Returns a token with an invalid signature.
  private func signed(_ claims: JSONObject) throws -> String {
    let header = try JSON.encode(["alg": "RS256", "typ": "JWT"])
    let payload = try JSON.encode(JSONValue.object(claims))
    return try JSONWebToken.encode(header: header, payload: payload, key: nil) + "c2ln"
  }

  @Test(
    arguments: [
      ("GET", "c/d", 0, true), ("GET", "c/d/", 0, true), ("GET", "c", 0, false),
      ("GET", "c/", 0, false),
      ("PATCH", "c/d", 4_096, true), ("PATCH", "c/d", 4_097, false), ("DELETE", "c/d", 0, true),
      ("POST", "c", 10, true), ("POST", ":commit", 10, true), ("POST", ":batchGet", 10, true),
      ("POST", ":commit", 4_097, false), ("POST", ":beginTransaction", 2, true),
      ("POST", ":runQuery", 10, false), ("POST", "c/d:runQuery", 10, false),
      ("POST", "c/a:b", 10, false), ("POST", ":runAggregationQuery", 10, false),
      ("POST", ":listCollectionIds", 10, false), ("OPTIONS", "c/d", 0, false),
    ] as [(String, String, Int, Bool)]
  )
  func `requests that read or write few documents run on the event loop`(
    method: String,
    path: String,
    size: Int,
    runsOnEventLoop: Bool
  ) throws {
    let store = Store()
    let http = FirestoreREST(
      FirestoreService(project: "p", store: store, newID: { "id" }),
      transfer: DataTransfer(store: store, workingDirectory: "/"),
      shutDown: {}
    )
    let place = path.hasPrefix(":") ? path : "/\(path)"
    let segments = "v1/projects/p/databases/d/documents\(place)"
      .split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let request = ServiceRequest(method: method, path: segments, body: Data(count: size))
    #expect(http.runsOnEventLoop(request) == runsOnEventLoop)
    #expect(!http.runsOnEventLoop(ServiceRequest(method: method, path: ["emulator"] + segments)))
  }

  @Test func `a context has the caller's trace`() throws {
    let context = try RequestContext(project: "p", accounts: AccountStore()) {
      $0 == "traceparent" ? "00-1-2-01" : nil
    }
    #expect(context.traceparent == "00-1-2-01")
  }

  @Test(arguments: ["f", nil])
  func `a commit names the function whose address it was sent to`(function: String?) async throws {
    let log = RecordedCommits()
    let store = Store(observers: [log])
    let service = FirestoreService(project: "p", store: store, newID: { "id" }, function: function)
    let http = FirestoreREST(
      service,
      transfer: DataTransfer(store: store, workingDirectory: "/"),
      shutDown: {}
    )
    _ = try await http.respond(
      to: ServiceRequest(
        method: "PATCH",
        path: ["v1", "projects", "p", "databases", "(default)", "documents", "a", "b"],
        body: Data("{}".utf8)
      )
    )
    #expect(log.commits.withLock(\.self).map(\.cause.function) == [function])
  }
}

/// A recorder of the store's commits, in order.
private final class RecordedCommits: CommitObserver {
  let commits = Mutex<[Commit]>([])

  func prepare(_ commit: Commit) -> (any CommitEvents)? {
    commits.withLock { $0.append(commit) }
    return nil
  }
}
