import Core
import FirestoreAPI
import FirestoreModel
import FirestoreProtos
import HTTPService
import Testing

/// The REST API: JSON, and request messages that are divided among path, query and body.
struct RESTTests {
  private let firestore = Firestore()

  private func post(_ suffix: String, _ body: String) async throws -> HTTPAnswer {
    try await firestore.http("POST", firestore.documents(suffix), body)
  }

  private func patch(_ value: String) async throws -> HTTPAnswer {
    try await firestore.http(
      "PATCH",
      firestore.documents("/c/x"),
      #"{"fields":{"v":\#(value)}}"#
    )
  }

  @Test(arguments: [0, 1, 31, 32, 33, 63, 64, 65, 96, 97])
  func `a query's answer contains all results, in any number of portions`(
    count: Int
  ) async throws {
    let names = (0..<count).map { "d\(1_000 + $0)" }
    if count > 0 {
      let writes = names.map {
        #"{"update":{"name":"\#(Firestore.documents)/many/\#($0)","fields":{}}}"#
      }
      let written = try await post(":commit", #"{"writes":[\#(writes.joined(separator: ","))]}"#)
      #expect(written.status == 200, "\(written.text)")
    }
    let query = #"{"structuredQuery":{"from":[{"collectionId":"many"}]}}"#
    let elements = try #require(try await post(":runQuery", query).json.array)
    let found = elements.compactMap { $0["document"]?["name"]?.string?.split(separator: "/").last }
    #expect(found.map(String.init) == names)
    #expect(elements.count == max(1, count))
    let list = names.map { #""\#(Firestore.documents)/many/\#($0)""# }.joined(separator: ",")
    let read = try await post(":batchGet", #"{"documents":[\#(list)]}"#)
    #expect(read.json.array?.count == count)
  }

  // MARK: JSON

  @Test(
    arguments: [
      (#"{"doubleValue":"-0"}"#, Value.double(-0.0)), (#"{"doubleValue":-0.0}"#, .double(-0.0)),
      (#"{"doubleValue":"NaN"}"#, .double(.nan)),
      (#"{"doubleValue":"-Infinity"}"#, .double(-.infinity)),
      (#"{"doubleValue":"1.5"}"#, .double(1.5)), (#"{"doubleValue":1}"#, .double(1)),
      (#"{"integerValue":"9007199254740993"}"#, 9_007_199_254_740_993),
      (#"{"integerValue":7}"#, 7), (#"{"integer_value":"7"}"#, 7),
      (#"{"nullValue":null}"#, .null), (#"{"nullValue":"NULL_VALUE"}"#, .null),
      (#"{"nullValue":0}"#, .null),
      (#"{"bytesValue":"-_8="}"#, .bytes(Data([251, 255]))),
      (#"{"bytesValue":"+/8"}"#, .bytes(Data([251, 255]))),
      (
        #"{"timestampValue":"2025-01-01T01:00:00.5+01:00"}"#,
        .timestamp(Timestamp(seconds: 1_735_689_600, nanoseconds: 500_000_000))
      ),
      (#"{"geoPointValue":{"latitude":1}}"#, .geoPoint(latitude: 1, longitude: 0)),
      (#"{"arrayValue":{}}"#, .array([])), (#"{"mapValue":{}}"#, .map([:])),
      (#"{"stringValue":"\ud83d\udc4d\u0000"}"#, "👍\u{0}"),
    ]
  )
  func `every JSON form of a value is read`(_ json: String, _ value: Value) async throws {
    let answer = try await patch(json)
    #expect(answer.status == 200, "\(answer.text)")
    let stored = try Fields(firestore.get("c/x").fields)["v"]
    if case .double(let expected) = value, case .double(let double)? = stored {
      #expect(double.isNaN == expected.isNaN && double.sign == expected.sign)
      #expect(expected.isNaN || double == expected)
    } else {
      #expect(stored == value)
    }
  }

  @Test(
    arguments: [
      (#"{"doubleValue":"NaN"}"#, #""v":{"doubleValue":"NaN"}"#),
      (#"{"doubleValue":"Infinity"}"#, #""v":{"doubleValue":"Infinity"}"#),
      (#"{"doubleValue":"-0"}"#, #""v":{"doubleValue":-0.0}"#),
      (#"{"integerValue":7}"#, #""v":{"integerValue":"7"}"#),
      (#"{"nullValue":0}"#, #""v":{"nullValue":null}"#),
      (#"{"bytesValue":"-_8"}"#, #""v":{"bytesValue":"+/8="}"#),
      (#"{"timestampValue":"2025-01-01T00:00:00.100Z"}"#, #"2025-01-01T00:00:00.100Z""#),
      (#"{"timestampValue":"2025-01-01T00:00:00.0001Z"}"#, #"2025-01-01T00:00:00.000100Z""#),
      (#"{"timestampValue":"2025-01-01T00:00:00.000000Z"}"#, #"2025-01-01T00:00:00Z""#),
      (#"{"mapValue":{"fields":{}}}"#, #""v":{"mapValue":{}}"#),
      (#"{"booleanValue":false}"#, #""v":{"booleanValue":false}"#),
    ]
  )
  func `values are written as Google writes them`(_ json: String, _ part: String) async throws {
    let answer = try await patch(json)
    #expect(answer.text.contains(part), "\(answer.text)")
  }

  @Test(
    arguments: [
      ("{", "the request's body is not valid JSON"), ("[]", "the request's body"),
      (#"{"wrties":[]}"#, #"the request's body has the unknown name "wrties""#),
      (#"{"writes":[{"update":{"name":7}}]}"#, "string"),
      (#"{"writes":[{"delete":"a","update":{}}]}"#, "exclude each other"),
      (
        #"{"writes":[{"updateTransforms":[{"fieldPath":"a","setToServerValue":"NOW"}]}]}"#,
        "unknown enum value"
      ),
      (#"{"writes":[null]}"#, "null"), (#"{"transaction":"*"}"#, "the request's body"),
      ("{}{}", "not valid JSON"), ("{\"a\":\u{0}}", "the request's body"),
      (#"{"writes":[{"update":{"fields":{"a":{"integerValue":"1.5"}}}}]}"#, "number"),
      (
        #"{"writes":[{"update":{"fields":{"a":{"integerValue":"9223372036854775808"}}}}]}"#,
        "number"
      ),
      (#"{"writes":[{"update":{"fields":{"a":{"timestampValue":"now"}}}}]}"#, "RFC 3339"),
      (String(repeating: "[", count: 100_000), "the request's body"),
      (String(repeating: #"{"a":"#, count: 100_000), "the request's body"),
    ]
  )
  func `a body that isn't JSON is refused`(_ body: String, _ message: String) async throws {
    let answer = try await post(":commit", body)
    #expect(answer.status == 400)
    #expect(answer.json["error"]?["status"] == .string("INVALID_ARGUMENT"))
    #expect(answer.message.contains(message), "\(answer.message)")
  }

  @Test func `a body that isn't UTF-8 is refused`() async throws {
    var request = try ServiceRequest(
      method: "POST",
      target: firestore.documents(":commit"),
      headers: [:],
      body: Data()
    )
    request.body = Data(#"{"transaction":""#.utf8) + [0xC3, 0x28] + Data(#""}"#.utf8)
    let error = await #expect(throws: StatusError.self) {
      try await firestore.door.respond(to: request)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `a value may be nested as deeply as a document`() async throws {
    func nested(_ depth: Int) -> String {
      String(repeating: #"{"mapValue":{"fields":{"a":"#, count: depth) + #"{"nullValue":null}"#
        + String(repeating: "}}}", count: depth)
    }
    #expect(try await patch(nested(20)).status == 200)
    let refused = try await patch(nested(21))
    #expect(refused.status == 400 && refused.message.contains("invalid nested entity"))
    #expect(try await patch(nested(500)).status == 400)
  }

  @Test func `wrapped numbers are read in the form of old web clients`() async throws {
    for id in ["x", "y", "z"] { try firestore.set("c/\(id)") }
    for limit in [#"{"value":2}"#, "2", #""2""#] {
      let answer = try await post(
        ":runQuery",
        #"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":\#(limit)}}"#
      )
      #expect(answer.json.array?.count == 2, "\(answer.text)")
    }
  }

  // MARK: URLs

  @Test func `a document's message is spread over path, query and body`() async throws {
    let document = firestore.documents("/c/x")
    let created = try await firestore.http(
      "POST",
      firestore.documents("/c?documentId=x&mask.fieldPaths=a&key=ignored&%24alt=json"),
      #"{"fields":{"a":{"integerValue":1},"b":{"integerValue":2}}}"#
    )
    #expect(created.json["fields"]?.object?.keys.sorted() == ["a"])
    let time = try #require(created.json["updateTime"]?.string)

    let updated = try await firestore.http(
      "PATCH",
      "\(document)?updateMask.field_paths=b&mask.fieldPaths=b&currentDocument.updateTime=\(time)",
      #"{"fields":{"b":{"integerValue":3}}}"#
    )
    #expect(updated.status == 200, "\(updated.text)")
    #expect(updated.json["fields"]?["b"]?["integerValue"] == .string("3"))

    let old = try await firestore.http("GET", "\(document)?readTime=\(time)")
    #expect(old.json["fields"]?["b"]?["integerValue"] == .string("2"))

    let stale = try await firestore.http(
      "DELETE",
      "\(document)?currentDocument.updateTime=\(time)"
    )
    #expect(stale.json["error"]?["status"] == .string("FAILED_PRECONDITION"))
    let deleted = try await firestore.http("DELETE", "\(document)?currentDocument.exists=true")
    #expect(deleted.text == "{}")
  }

  @Test func `a transaction's id can be sent in a URL`() async throws {
    try firestore.set("c/x")
    let begun = try await post(":beginTransaction", "")
    let id = try #require(begun.json["transaction"]?.string)
    let escaped = id.replacing("+", with: "%2B").replacing("/", with: "%2F")
    let read = try await firestore.http("GET", firestore.documents("/c/x?transaction=\(escaped)"))
    #expect(read.status == 200, "\(read.text)")
    #expect(try await post(":rollback", #"{"transaction":"\#(id)"}"#).text == "{}")
    let closed = try await firestore.http(
      "GET",
      firestore.documents("/c/x?transaction=\(escaped)")
    )
    #expect(closed.json["error"]?["status"] == .string("INVALID_ARGUMENT"))
  }

  @Test(
    arguments: [
      "/c/x?readTime=yesterday", "/c/x?transaction=*", "/c?pageSize=many", "/c?showMissing=maybe",
      "/c/x?transaction=YQ&readTime=2025-01-01T00:00:00Z", "/c?orderBy=a-b", "/c?pageToken=%00",
      "/c/x?mask.fieldPaths=a..b",
    ]
  )
  func `an invalid parameter is refused`(_ suffix: String) async throws {
    let answer = try await firestore.http("GET", firestore.documents(suffix))
    #expect(answer.json["error"]?["status"] == .string("INVALID_ARGUMENT"), "\(answer.text)")
  }

  // MARK: Streams

  @Test func `a stream is one array, and an error is sent alone`() async throws {
    for index in 0..<250 { try firestore.set("c/\(index)") }
    let all = try await post(":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#)
    #expect(all.json.array?.count == 250)
    let none = try await post(":batchGet", "{}")
    #expect(none.text == "[]")
    let counted = try await post(
      ":runAggregationQuery",
      #"""
      {"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},
        "aggregations":[{"alias":"n","count":{"upTo":"9"}}]}}
      """#
    )
    #expect(
      counted.json.array?.first?["result"]?["aggregateFields"]?["n"]?["integerValue"]
        == .string("9")
    )
    let error = try await post(":runQuery", #"{"structuredQuery":{"offset":-1}}"#)
    #expect(error.status == 400 && error.message == "offset is negative")
  }

  // MARK: The emulator's own routes

  @Test func `the emulator's own routes exist`() async throws {
    #expect(try await firestore.http("GET", "/").text == "Ok\n")
    try firestore.set("c/x")
    let cleared = try await firestore.http(
      "DELETE",
      "/emulator/v1/\(Firestore.database)/documents"
    )
    #expect(cleared.text == "{}")
    #expect(throws: StatusError.self) { try firestore.get("c/x") }
    for (method, path, status) in [
      ("PUT", "/emulator/v1/projects/p:securityRules", 400),
      ("GET", "/emulator/v1/projects/p:securityRules", 200),
      ("GET", "/emulator/v1/projects/p:ruleCoverage", 200),
      ("GET", "/emulator/v1/projects/p:ruleCoverage.html", 200),
    ] {
      #expect(try await firestore.http(method, path, "{}").status == status)
    }
    #expect(try await firestore.http("GET", "/emulator/v1/projects/p").status == 404)
    #expect(try await firestore.http("POST", "/shutdown").status == 200)
  }

  @Test func `an invalid token is reported`() async throws {
    let answer = try await firestore.http(
      "GET",
      firestore.documents("/c/x"),
      headers: ["authorization": "Bearer nonsense"]
    )
    #expect(answer.status == 400 && answer.message.hasPrefix("invalid jwt: "))
  }
}
