import Core
import Testing

@testable import Rules

@Suite("The rules of a Realtime Database")
struct DatabaseRulesTests {
  private static func request(
    _ data: String,
    _ newData: String,
    user: String = #"{"uid":"a"}"#
  ) throws -> DatabaseRequest {
    DatabaseRequest(
      root: JSONNode(try parsed(data)),
      newRoot: JSONNode(try parsed(newData)),
      auth: try parsed(user),
      now: 10
    )
  }

  private static func reads(_ rules: String, _ path: [String]) throws -> Bool {
    try DatabaseRules(compiling: rules).allowsRead(
      of: path,
      DatabaseRequest(root: nil, auth: .null, now: 0, query: [:])
    )
  }

  @Test("let a client read below the first place that grants it, and nowhere else")
  func reading() throws {
    let rules = #"""
      // The rooms.
      {"rules": {"rooms": {"open": {".read": true, "secret": {".read": false}}, "$room": {".read": "$room == 'x'"}},
        /* nothing else */ ".write": false}}
      """#
    #expect(try Self.reads(rules, ["rooms", "open"]))
    #expect(try Self.reads(rules, ["rooms", "open", "secret", "deeper"]))
    #expect(try Self.reads(rules, ["rooms", "x"]))
    #expect(try !Self.reads(rules, ["rooms", "y"]))
    #expect(try !Self.reads(rules, ["rooms"]))
    #expect(try !Self.reads(rules, []))
    #expect(try !Self.reads(#"{"rules":{}}"#, []))
  }

  @Test("let a client write where a place grants it and all data is valid")
  func writing() throws {
    let rules = try DatabaseRules(
      compiling: #"""
        {"rules": {"users": {"$uid": {
          ".write": "auth.uid == $uid",
          ".validate": "newData.hasChildren(['name'])",
          "name": {".validate": "newData.isString() && newData.val().length < 5"},
          "age": {".validate": "!data.exists() || newData.val() > data.val()"},
          "tags": {"$tag": {".validate": "newData.val() == true"}},
          "$other": {".validate": false}
        }}}}
        """#
    )
    func may(_ path: [String], _ old: String, _ new: String) throws -> Bool {
      let prefix = #"{"users":{"a":"#
      return rules.allowsWrite(
        to: ["users"] + path,
        try Self.request(prefix + old + "}}", prefix + new + "}}")
      )
    }
    #expect(try may(["a"], "null", #"{"name":"x","age":3,"tags":{"p":true}}"#))
    #expect(try may(["a"], #"{"name":"x"}"#, "null"), "a deletion needs no valid data")
    #expect(try may(["a", "age"], #"{"name":"x","age":3}"#, #"{"name":"x","age":4}"#))
    #expect(try !may(["a", "age"], #"{"name":"x","age":3}"#, #"{"name":"x","age":3}"#))
    #expect(try !may(["a"], "null", #"{"age":3}"#), "no name")
    #expect(try !may(["a"], "null", #"{"name":"longer"}"#))
    #expect(try !may(["a"], "null", #"{"name":"x","tags":{"p":true,"q":1}}"#))
    #expect(try !may(["a"], "null", #"{"name":"x","more":1}"#))
    // A rule above is also about a write below it.
    #expect(try !may(["a", "name"], #"{"name":"x","age":3}"#, #"{"age":3}"#))
    #expect(try !may(["b", "name"], "null", "null"), "another user's")
    #expect(try !may([], "null", #"{"name":"x"}"#), "above the rule")
  }

  @Test("have indexes")
  func indexes() throws {
    let rules = try DatabaseRules(
      compiling: #"{"rules":{"scores":{".indexOn":["n","a/b"]},"$x":{"y":{".indexOn":".value"}}}}"#
    )
    #expect(rules.indexes(of: ["scores"]) == ["n", "a/b"])
    #expect(rules.indexes(of: ["other", "y"]) == [".value"])
    #expect(rules.indexes(of: ["other", "z"]) == [])
  }

  @Test(
    "tell where an error is:",
    arguments: [
      ("", "1:1"), ("[]", "1:1"), ("{}", "1:1"), (#"{"rules":{}} x"#, "1:14"),
      ("{\"rules\":{\n  \".read\": \"skies\"\n}}", "2:13"),
      ("{\"rules\":{\n  \".read\": \"true &&\n    skies\"\n}}", "3:5"),
      ("{\"rules\":{\n  \".read\": \"'\\u0041' == \\\"x\\\" && skies\"\n}}", "2:34"),
      (#"{"rules":{".reed":true}}"#, "1:11"), (#"{"rules":{"a.b":{}}}"#, "1:11"),
      (#"{"rules":{"$a":{},"$b":{}}}"#, "1:19"), (#"{"rules":{"$a":{"$a":{}}}}"#, "1:17"),
      (#"{"rules":{".read":1}}"#, "1:19"), (#"{"rules":{"a":true}}"#, "1:15"),
      (#"{"rules":{".indexOn":[1]}}"#, "1:23"), (#"{"rules":{"a":{},"a":{}}}"#, "1:18"),
      (#"{"rules":{"a":{}"#, "1:17"), ("{/* open", "1:2"), (#"{"rules":"open"#, "1:10"),
    ]
  )
  func errors(_ rules: String, _ place: String) throws {
    let error = #expect(throws: CompilationError.self) { try DatabaseRules(compiling: rules) }
    let range = try #require(error?.issues.first?.range)
    #expect("\(range.line):\(range.column)" == place)
  }

  @Test("report every error")
  func allErrors() throws {
    let error = #expect(throws: CompilationError.self) {
      try DatabaseRules(compiling: #"{"rules":{".read":"x",".write":"y","a":{".validate":7}}}"#)
    }
    #expect(error?.issues.count == 3)
  }
}
