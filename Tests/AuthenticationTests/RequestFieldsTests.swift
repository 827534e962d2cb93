import Core
import Testing

@testable import Authentication

/// The fields of requests, in the spellings and types that clients use.
struct RequestFieldsTests {
  private func fields(_ text: String) throws -> RequestFields {
    RequestFields(try #require(JSONValue(parsing: Data(text.utf8)).object))
  }

  @Test func `names are in snake case or camel case`() throws {
    let fields = try fields(#"{"refresh_token":"a","grantType":"b","local_id":"c","localId":"d"}"#)
    #expect(try fields.text("refreshToken") == "a" && fields.text("grantType") == "b")
    #expect(try fields.text("localId") == "d")
  }

  @Test func `numbers stand for texts, texts for numbers, and null for nothing`() throws {
    let fields = try fields(#"{"a":1795233896,"b":"12","c":null,"d":"","e":1e3,"f":[1,"x"]}"#)
    #expect(try fields.string("a") == "1795233896" && fields.integer("b") == 12)
    #expect(try fields.string("c") == nil && !fields.has("c"))
    #expect(try fields.string("d") == "" && fields.text("d") == nil)
    #expect(try fields.string("e") == "1000" && fields.strings("f") == ["1", "x"])
  }

  @Test(arguments: [
    (#"{"a":{}}"#, "/a must be string"), (#"{"a":true}"#, "/a must be string"),
    (#"{"a":["x"]}"#, "/a must be string"),
  ])
  func `a wrong type is named`(text: String, message: String) throws {
    let error = #expect(throws: AuthenticationError.self) { try fields(text).string("a") }
    #expect(error?.httpStatus == 400)
    #expect(error?.message == "Invalid JSON payload received. \(message)")
  }

  @Test func `the place of a wrong type is named`() throws {
    let users = try fields(#"{"users":[{"localId":"a"},{"localId":{}}]}"#).objects("users")
    let error = #expect(throws: AuthenticationError.self) { try users[1].text("localId") }
    #expect(error?.message.hasSuffix("/users/1/localId must be string") == true)
    #expect(throws: AuthenticationError.self) { try fields(#"{"a":"1.5"}"#).integer("a") }
    #expect(throws: AuthenticationError.self) { try fields(#"{"a":1}"#).boolean("a") }
    #expect(throws: AuthenticationError.self) { try fields(#"{"a":[1]}"#).objects("a") }
  }

  @Test(arguments: [
    ("https://app.example/", true), ("http://localhost:5000", true), ("myapp://open", true),
    ("http:///", false), ("http://?x", false), ("app.example", false), ("", false),
    ("1http://x", false), (":x", false), ("https:app.example", false),
  ])
  func `a URL to go on to has a scheme and a host`(text: String, isValid: Bool) {
    #expect((ContinueURL(text) != nil) == isValid)
  }

  @Test func `fields are added before the fragment, and the header has no other line`() throws {
    let url = try #require(ContinueURL("https://a.b/c?d=e#f"))
    #expect(url.adding([("mode", "x y")]).text == "https://a.b/c?d=e&mode=x%20y#f")
    let hostile = try #require(ContinueURL("https://a.b/\r\nset-cookie: x=1é"))
    #expect(hostile.headerValue == "https://a.b/%0D%0Aset-cookie:%20x=1%C3%A9")
  }

  @Test(
    arguments: [
      ("{}", nil), (#"{"role":"admin"}"#, nil), ("[]", "INVALID_CLAIMS"), ("x", "INVALID_CLAIMS"),
      (#"{"sub":"x"}"#, "FORBIDDEN_CLAIM : sub"),
      (#"{"firebase":1}"#, "FORBIDDEN_CLAIM : firebase"),
      (#"{"a":"\#(String(repeating: "x", count: 1_000))"}"#, "CLAIMS_TOO_LARGE"),
    ] as [(String, String?)]
  )
  func `claims are a small object without reserved names`(text: String, error: String?) {
    #expect(CustomClaims.failure(of: text)?.error.message == error)
  }
}
