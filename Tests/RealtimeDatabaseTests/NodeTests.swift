import Core
import Cryptography
import Testing

@testable import RealtimeDatabase

func node(_ json: String, replacing existing: Node? = nil, now: Int64 = 0) throws -> Node? {
  try Node.parse(
    JSONValue(parsing: Data(json.utf8)),
    depth: 0,
    replacing: existing,
    ServerValues(now: now)
  )
}

func text(_ node: Node?, _ format: Node.Format = .value) throws -> String {
  String(decoding: try JSON.encode(node.json(format)), as: UTF8.self)
}

@Suite("A node of the Realtime Database")
struct NodeTests {
  @Test(
    "keeps what is written, without empty objects",
    arguments: [
      ("null", "null"), ("{}", "null"), (#"{"a":{"b":{}},"c":null}"#, "null"), ("[]", "null"),
      ("1.5", "1.5"), ("1795233614637", "1795233614637"), ("true", "true"), (#""é""#, #""é""#),
      (#"{"a":{"b":1},"c":{}}"#, #"{"a":{"b":1}}"#), (#"["a",null,"c"]"#, #"["a",null,"c"]"#),
      (#"{"0":"a","1":"b"}"#, #"["a","b"]"#), (#"{"1":"a","3":"b"}"#, #"[null,"a",null,"b"]"#),
      (#"{"1":"a","4":"b"}"#, #"{"1":"a","4":"b"}"#), (#"{"0":"a","b":1}"#, #"{"0":"a","b":1}"#),
      (#"{"00":"a"}"#, #"{"00":"a"}"#), (#"{".value":5}"#, "5"), (#"{".priority":5}"#, "null"),
      (#"{".sv":"timestamp"}"#, "0"), (#"{"n":{".sv":{"increment":2}}}"#, #"{"n":2}"#),
    ]
  )
  func values(_ written: String, _ read: String) throws {
    #expect(try text(node(written)) == read)
  }

  @Test("has priorities in exports")
  func priorities() throws {
    let written = #"{".priority":"p","a":{".priority":1.5,".value":"x"},"b":2}"#
    #expect(try text(node(written), .export) == written)
    #expect(try text(node(written)) == #"{"a":"x","b":2}"#)
  }

  @Test(
    "is refused for",
    arguments: [
      #"{"a.b":1}"#, #"{"a/b":1}"#, #"{"":1}"#, "{\"a\\u0001\":1}", #"{"a":{".value":1,"b":2}}"#,
      #"{".sv":"now"}"#, #"{".sv":{"increment":"1"}}"#, #"{".sv":"timestamp","a":1}"#,
      #"{".priority":true,"a":1}"#, #"{".other":1}"#,
      "{\"\(String(repeating: "k", count: 769))\":1}",
      String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33),
    ]
  )
  func refused(_ written: String) {
    #expect(throws: StatusError.self) { try node(written) }
  }

  @Test("may have 32 levels, and a text of 10 MiB")
  func limits() throws {
    _ = try node(String(repeating: #"{"a":"#, count: 32) + "1" + String(repeating: "}", count: 32))
    let most = 10 << 20
    _ = try node("\"\(String(repeating: "x", count: most))\"")
    #expect(throws: StatusError.self) { try node("\"\(String(repeating: "x", count: most + 1))\"") }
  }

  @Test("resolves increments by what is there")
  func increments() throws {
    let old = try node(#"{"a":5,"b":"x"}"#)
    let new = try node(
      #"{"a":{".sv":{"increment":-2}},"b":{".sv":{"increment":3}},"c":{".sv":{"increment":1}}}"#,
      replacing: old
    )
    #expect(try text(new) == #"{"a":3,"b":3,"c":1}"#)
  }

  // The hashed texts are those that `hash()` in LeafNode.ts and ChildrenNode.ts of Firebase's Web SDK
  // makes.
  @Test(
    "has the hash of Firebase's SDKs",
    arguments: [
      (#""foo""#, "string:foo"), ("true", "boolean:true"), ("1", "number:3ff0000000000000"),
      ("-0.5", "number:bfe0000000000000"),
      (#"{".value":"x",".priority":2}"#, "priority:number:4000000000000000:string:x"),
      (#"{".value":"x",".priority":"p"}"#, "priority:string:p:string:x"),
    ]
  )
  func hash(_ json: String, _ hashed: String) throws {
    #expect(try node(json)?.hash == sha1(hashed))
    #expect(try node("{\"a\":\(json)}")?.hash == sha1(":a:\(sha1(hashed))"))
  }

  @Test("is hashed by priorities, then by keys")
  func hashOrder() throws {
    let one = sha1("number:3ff0000000000000")
    #expect(
      try node(#"{"b":1,"a":1,"10":1,"9":1}"#)?.hash
        == sha1(":9:\(one):10:\(one):a:\(one):b:\(one)")
    )
    let first = sha1("priority:number:3ff0000000000000:number:3ff0000000000000")
    #expect(
      try node(#"{"a":{".value":1,".priority":1},"b":1}"#)?.hash == sha1(":b:\(one):a:\(first)")
    )
    #expect(try node("null").hash == "")
  }

  private func sha1(_ text: String) -> String { Data(SHA1.digest(text.utf8)).base64EncodedString() }

  @Test("is changed at a path")
  func setting() throws {
    let tree = try node(#"{"a":{"b":1,"c":{"d":2}},"e":"leaf"}"#)
    func set(_ path: String, _ json: String) throws -> String {
      try text(tree.setting(TreePath(path), to: node(json)))
    }
    #expect(try set("a/b", "null") == #"{"a":{"c":{"d":2}},"e":"leaf"}"#)
    #expect(try set("a/c/d", "null") == #"{"a":{"b":1},"e":"leaf"}"#)
    #expect(try set("a", "5") == #"{"a":5,"e":"leaf"}"#)
    #expect(try set("e/x/y", "1") == #"{"a":{"b":1,"c":{"d":2}},"e":{"x":{"y":1}}}"#)
    #expect(try set("e/x", "null") == #"{"a":{"b":1,"c":{"d":2}},"e":"leaf"}"#)
    #expect(try set("", "null") == "null")
    #expect(try text(tree) == #"{"a":{"b":1,"c":{"d":2}},"e":"leaf"}"#, "the old tree stays")
  }
}
