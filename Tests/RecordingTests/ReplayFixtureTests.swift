import Core
import TestKit
import Testing

@testable import Recording

struct ReplayFixtureTests {
  @Test func `a fixture stays the same when it is written and read`() throws {
    let fixture = try SampleFixture.make()
    #expect(try ReplayFixture(file: fixture.file) == fixture)
    #expect(fixture.isEvent)
    #expect(fixture.documents.keys.contains("users/marco"))
    #expect(fixture.fileName == "event-ok-i1.json")
  }

  @Test func `the attempts of an invocation have files of their own`() throws {
    var fixture = try SampleFixture.make()
    fixture.attempt = 2
    #expect(fixture.fileName == "event-ok-i1-attempt-2.json")
  }

  @Test func `queries are kept, and absent queries stay absent`() throws {
    var fixture = try SampleFixture.make()
    #expect(try fixture.json["queries"] == nil)
    fixture.queries = []
    #expect(try ReplayFixture(file: fixture.file).queries == [])
    fixture.queries = [.object(["list": .string("users")])]
    #expect(try ReplayFixture(file: fixture.file) == fixture)
  }

  @Test(arguments: [
    ("version", JSONValue.integer(2), "version 2 is not supported"),
    ("version", .null, "the fixture has no version"),
    ("function", .string(""), "the fixture has no function"),
    ("event", nil, "the fixture's event is missing"),
    ("exchanges", nil, "the fixture has no exchanges"),
    ("exchanges", .array([.object([:])]), "an exchange's request has no method"),
    ("documents", .object(["users": .null]), "needs an even number"),
    ("documents", .object(["users/a": .string("x")]), "neither an object nor null"),
    ("invocation", .object(["id": .string("i"), "time": .string("today")]), "invocation.time"),
    (
      "invocation", .object(["id": .string("i"), "attempt": .string("x")]),
      "attempt is not a whole number"
    ),
    (
      "invocation",
      .object([
        "id": .string("i"), "time": .string("2026-03-01T18:00:00Z"), "streaming": .string("yes"),
      ]), "invocation.streaming"
    ),
    ("project", .string("a/b"), "project or FIRESTORE_DATABASE"),
    ("environment", .object(["A": .integer(1)]), "environment is not an object of strings"),
    ("environment", .array([]), "environment is not an object of strings"),
    ("environment", .object(["FIRESTORE_DATABASE": .string("a/b")]), "FIRESTORE_DATABASE"),
    ("event", .string("x"), "the fixture's event is missing or not an object"),
    ("meanwhile", .array([]), "meanwhile is not an object"),
    ("meanwhile", .object(["users/a": .object([:])]), "meanwhile.users/a is not an array"),
    ("queries", .string("x"), "queries is not an array"),
    ("expected", nil, "the fixture has no field 'expected'"),
    (
      "expected", .object(["exitCode": .integer(0), "changes": .object([:])]),
      "must have either 'reply'"
    ),
    (
      "expected", .object(["exitCode": .integer(300)]),
      "expected.exitCode is missing or not between 0 and 255"
    ),
  ])
  func `an invalid fixture is refused by name`(
    member: String,
    value: JSONValue?,
    message: String
  ) throws {
    let error = #expect(throws: StatusError.self) {
      try SampleFixture.make { $0[member] = value }
    }
    #expect(error?.message.contains(message) == true, Comment(rawValue: error?.message ?? ""))
  }

  @Test func `a key is found after escapes too`() throws {
    let key = #"\u0041Iza"# + String(repeating: "x", count: 35)
    let text = SampleFixture.json.replacing(
      #""environment": {}"#,
      with: #""environment": {"A": "KEY"}"#
    )
    let error = #expect(throws: StatusError.self) {
      try ReplayFixture(file: Data(text.replacing("KEY", with: key).utf8))
    }
    #expect(error?.message.contains("Google API key") == true)
    #expect(throws: Never.self) { try ReplayFixture(file: Data(text.utf8)) }
  }

  @Test func `a missing document is null, and not left out`() throws {
    let fixture = try SampleFixture.make { members in
      var documents = members["documents"]?.object ?? [:]
      documents["users/gone"] = .null
      members["documents"] = .object(documents)
    }
    #expect(try fixture.json["documents"]?["users/gone"] == .null)
  }
}
