import Core
import HTTPClient
import TestKit
import Testing

/// Firestore's REST API, as `curl` uses it.
@Suite(.sharedEmulator, .timeLimit(.minutes(10)))
struct FirestoreTests {
  private let project = "demo-\(UUID().uuidString.lowercased())"

  private func request(
    _ method: String,
    _ suffix: String,
    _ body: String = ""
  ) async throws -> EmulatorProcess.Answer {
    let emulator = try sharedEmulator()
    return try await emulator.request(
      method,
      "firestore",
      emulator.documents(suffix, project: project),
      headers: [HTTPHeader("Content-Type", "application/json")],
      body: body.isEmpty ? nil : Data(body.utf8)
    )
  }

  @Test func `a document is created, read, changed and deleted`() async throws {
    let created = try await request(
      "POST",
      "/users?documentId=sarah",
      #"{"fields":{"name":{"stringValue":"Sarah"},"age":{"integerValue":"30"}}}"#
    )
    #expect(created.status == 200)
    #expect(
      created.json["name"]?.string == (try sharedEmulator().name("users/sarah", project: project))
    )
    #expect(created.json["createTime"] == created.json["updateTime"])

    let again = try await request("POST", "/users?documentId=sarah", "{}")
    #expect((again.status, again.code) == (409, "ALREADY_EXISTS"))

    let patched = try await request(
      "PATCH",
      "/users/sarah?updateMask.fieldPaths=age&updateMask.fieldPaths=name",
      #"{"fields":{"age":{"integerValue":"31"}}}"#
    )
    #expect(patched.json["fields"] == (try json(#"{"age":{"integerValue":"31"}}"#)))

    let masked = try await request("GET", "/users/sarah?mask.fieldPaths=name")
    #expect(masked.json["fields"]?.object ?? [:] == [:])

    let stale = try await request(
      "DELETE",
      "/users/sarah?currentDocument.updateTime=2020-01-01T00:00:00Z"
    )
    #expect((stale.status, stale.code) == (400, "FAILED_PRECONDITION"))
    #expect(try await request("DELETE", "/users/sarah").json == .object([:]))
    let missing = try await request("GET", "/users/sarah")
    #expect((missing.status, missing.code) == (404, "NOT_FOUND"))
    #expect(missing.json.at("error.code") == .integer(404))
    #expect(
      try await request("PATCH", "/users/sarah?currentDocument.exists=true", "{}").status == 404
    )
  }

  @Test func `a document without an id gets one`() async throws {
    let answer = try await request("POST", "/users", #"{"fields":{}}"#)
    let id = try #require(answer.json["name"]?.string?.split(separator: "/").last)
    #expect(id.utf8.count == 20)
  }

  @Test func `a collection is listed in pages`() async throws {
    try await sharedEmulator().write(
      #"{"n/a":{"x":1},"n/b":{"x":2},"n/c":{"x":3},"n/a/sub/d":{},"other/z":{}}"#,
      project: project
    )
    let first = try await request("GET", "/n?pageSize=2").json
    #expect(first["documents"]?.array?.count == 2)
    let token = try #require(first["nextPageToken"]?.string)
    let second = try await request(
      "GET",
      "/n?pageSize=2&pageToken=\(PercentEncoding.encode(token))"
    )
    #expect(second.json.at("documents.0.fields.x.integerValue") == .string("3"))
    #expect(second.json["nextPageToken"] == nil)
    #expect(try await request("GET", "/nothing").json == .object([:]))

    let top = try await request("POST", ":listCollectionIds", "{}").json
    #expect(top["collectionIds"] == .array([.string("n"), .string("other")]))
    let below = try await request("POST", "/n/a:listCollectionIds", "{}").json
    #expect(below["collectionIds"] == .array([.string("sub")]))
  }

  @Test func `a commit is all or nothing, and returns its times`() async throws {
    let name = try sharedEmulator().name("n/a", project: project)
    let committed = try await request(
      "POST",
      ":commit",
      """
      {"writes":[{"update":{"name":"\(name)","fields":{"n":{"integerValue":"1"}}},
        "updateTransforms":[{"fieldPath":"at","setToServerValue":"REQUEST_TIME"},
          {"fieldPath":"n","increment":{"integerValue":"4"}}],
        "currentDocument":{"exists":false}}]}
      """
    )
    #expect(committed.status == 200, Comment(rawValue: committed.text))
    let time = try #require(committed.json["commitTime"])
    #expect(committed.json.at("writeResults.0.updateTime") == time)
    let document = try await request("GET", "/n/a").json
    // A server timestamp has milliseconds, and a commit time has microseconds.
    let server = try #require(document.at("fields.at.timestampValue")?.string?.dropLast())
    #expect(time.string?.hasPrefix(server) == true)
    #expect(document.at("fields.n.integerValue") == .string("5"))

    let refused = try await request(
      "POST",
      ":commit",
      """
      {"writes":[{"delete":"\(name)"},
        {"update":{"name":"\(name)2","fields":{}},"currentDocument":{"exists":true}}]}
      """
    )
    #expect((refused.status, refused.code) == (404, "NOT_FOUND"))
    #expect(try await request("GET", "/n/a").json == document)
  }

  @Test func `documents are fetched in one request, and missing ones are named`() async throws {
    let emulator = try sharedEmulator()
    try await emulator.write(#"{"n/a":{"x":1}}"#, project: project)
    let names = ["n/a", "n/b"].map { emulator.name($0, project: project) }
    let answer = try await request(
      "POST",
      ":batchGet",
      #"{"documents":["\#(names[0])","\#(names[1])"]}"#
    ).json
    #expect(answer.at("0.found.name")?.string == names[0])
    #expect(answer.at("1.missing")?.string == names[1])
    #expect(answer.at("0.readTime") == answer.at("1.readTime"))
    let other = try await request(
      "POST",
      ":batchGet",
      #"{"documents":["projects/other/databases/(default)/documents/n/a"]}"#
    )
    #expect((other.status, other.code) == (400, "INVALID_ARGUMENT"))
  }

  @Test func `a query filters, orders and limits`() async throws {
    try await sharedEmulator().write(
      #"{"n/a":{"x":1},"n/b":{"x":2},"n/c":{"x":3},"n/d":{"y":1}}"#,
      project: project
    )
    let found = try await request(
      "POST",
      ":runQuery",
      """
      {"structuredQuery":{"from":[{"collectionId":"n"}],
        "where":{"fieldFilter":{"field":{"fieldPath":"x"},"op":"GREATER_THAN",
          "value":{"integerValue":"1"}}},
        "orderBy":[{"field":{"fieldPath":"x"},"direction":"DESCENDING"}],"limit":1}}
      """
    ).json
    #expect(found.array?.count == 1)
    #expect(found.at("0.document.fields.x.integerValue") == .string("3"))
    let none = try await request(
      "POST",
      ":runQuery",
      #"{"structuredQuery":{"from":[{"collectionId":"none"}]}}"#
    ).json
    #expect(none.at("0.readTime")?.string != nil)
    #expect(none.at("0.document") == nil)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var method: String
    var suffix: String
    var body: String
    var status: Int
    var message: String
    var testDescription: String { "\(method) \(suffix) \(body)" }

    init(_ method: String, _ suffix: String, _ body: String, _ status: Int, _ message: String) {
      self.method = method
      self.suffix = suffix
      self.body = body
      self.status = status
      self.message = message
    }
  }

  @Test(
    arguments: [
      Refusal("POST", ":commit", #"{"wirtes":[]}"#, 400, "wirtes"),
      Refusal("POST", ":commit", #"{"writes":[{"updat":{}}]}"#, 400, "updat"),
      Refusal("POST", ":commit", "{", 400, "not valid JSON"),
      Refusal("POST", ":commit", "", 400, "empty"),
      Refusal("PATCH", "/n/a", #"{"feilds":{}}"#, 400, "feilds"),
      Refusal("PATCH", "/n/a", #"{"fields":{"x":{"textValue":"y"}}}"#, 400, "textValue"),
      Refusal("PATCH", "/n/a?updateMask.fieldPaths=a..b", "{}", 400, "a..b"),
      Refusal("POST", ":runQuery", #"{"structuredQuery":{"frm":[]}}"#, 400, "frm"),
      Refusal("POST", ":executePipeline", "{}", 501, "executePipeline is not built yet"),
      Refusal("POST", ":batchWrite", "", 400, "empty"),
      Refusal("POST", ":rollback", "{}", 400, "Invalid transaction."),
      Refusal("POST", ":runQuery", "{}", 400, "only structured queries"),
      Refusal("POST", ":runAggregationQuery", "{}", 400, "only structured queries"),
      Refusal("POST", ":partitionQuery", "{}", 400, "only structured queries"),
      Refusal("POST", ":frobnicate", "{}", 404, "frobnicate"),
      Refusal("GET", "/n/a?readTime=yesterday", "", 400, "readTime"),
      Refusal("GET", "/n/a?transaction=*", "", 400, "transaction is not base64"),
      Refusal("GET", "/n?orderBy=a-b", "", 400, "a-b"),
      Refusal("GET", "/n?pageSize=many", "", 400, "pageSize"),
      Refusal("PUT", "/n/a", "{}", 400, "PUT"),
      Refusal("GET", "/n/%2", "", 400, "percent-encoding"),
      Refusal("GET", "/n/__a__", "", 400, "__a__"),
    ].filter { $0.status != 405 }
  )
  func `requests that Firestore refuses are refused with the reason`(_ refusal: Refusal)
    async throws
  {
    let answer = try await request(refusal.method, refusal.suffix, refusal.body)
    #expect(answer.status == refusal.status)
    #expect(answer.json.at("error.code") == .integer(Int64(refusal.status)))
    #expect(answer.message?.contains(refusal.message) == true, Comment(rawValue: answer.text))
  }

  @Test func `clearing removes a database's documents`() async throws {
    let emulator = try sharedEmulator()
    try await emulator.write(#"{"n/a":{}}"#, project: project)
    let target = "/emulator" + emulator.documents("", project: project)
    #expect(try await emulator.request("DELETE", "firestore", target).json == .object([:]))
    #expect(try await emulator.fields(of: "n/a", project: project) == nil)
  }

  @Test func `a request that begins like HTTP 2 but isn't is read as HTTP 1`() async throws {
    let port = try #require(try sharedEmulator().ports["firestore"])
    let connection = try RawConnection(port: port)
    connection.send("P")
    connection.send("UT / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 404"))
  }
}
