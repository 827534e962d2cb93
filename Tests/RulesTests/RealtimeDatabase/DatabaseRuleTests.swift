import Core
import Testing

@testable import Rules

/// JSON as a node of a database.
struct JSONNode: RulesTreeNode {
  let json: JSONValue

  init?(_ json: JSONValue?) {
    guard let json, !json.isNull, json.object?.isEmpty != true else { return nil }
    self.json = json
  }

  var rulesValue: JSONValue? { json.object == nil ? json : nil }
  var rulesPriority: JSONValue { .null }

  func rulesChild(_ key: String) -> (any RulesTreeNode)? { JSONNode(json.object?[key]) }

  func forEachRulesChild(_ body: (String, any RulesTreeNode) -> Bool) {
    for (key, value) in json.object ?? [:] {
      guard let node = JSONNode(value), body(key.string, node) else { return }
    }
  }
}

func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

@Suite("A rule of the Realtime Database")
struct DatabaseRuleTests {
  static let user = """
    {"uid":"custom:bob","provider":"custom","age":1,"admin":true,"name":"one","foo":{"bar":true},
     "roles":["a","b"],"token":{"email":"bob@example.com"}}
    """

  /// Returns whether a rule lets a user read `/items/blue`.
  static func allows(
    _ rule: String,
    user: String = user,
    data: String = "null",
    query: JSONObject = [:]
  ) throws -> Bool {
    let text = try #require(String(data: JSON.encode(JSONValue.string(rule)), encoding: .utf8))
    let rules = try DatabaseRules(
      compiling: #"{"rules":{"items":{"$color":{".read":\#(text)}}}}"#
    )
    return rules.allowsRead(
      of: ["items", "blue"],
      DatabaseRequest(
        root: JSONNode(try parsed(data)),
        auth: try parsed(user),
        now: 1_700_000_000_000,
        query: query
      )
    )
  }

  @Test(
    "is true for",
    arguments: [
      "true", "1 < 2", "auth != null", "auth !== null && auth.uid === 'custom:bob'",
      "auth.foo.bar == true", "auth.foo['bar'] == true", "auth['foo'].bar == true",
      "auth.missing == null", "auth.missing.deeper == null", "auth.token.email.endsWith('.com')",
      "auth.roles[1] == 'b'", "auth.name.length == 3", "$color == 'blue'", "auth.age + 1 == 2",
      "auth.name + 1 == 'one1'", "1 + auth.name == '1one'", "auth.age / 2 == 0.5", "7 % 4 == 3",
      "-auth.age == -1", "(1 / 0 + '') == 'NaN'", "!(1 / 0 > 2) && !(1 / 0 < 2)",
      "'abc'.contains('b') && 'abc'.beginsWith('ab') && 'abc'.endsWith('bc')",
      "'abab'.replace('a', 'x') == 'xbxb'",
      "'Ab'.toLowerCase() == 'ab' && 'b'.toUpperCase() == 'B'",
      "'foo'.matches(/^fo+$/) && 'a foo'.matches(/foo/) && 'BAR'.matches(/bar/i)",
      #"'{foo}'.matches(/\{foo}/)"#, "'a/b'.matches(/a[/]b/)", "auth.age > 0 ? true : false",
      "false || true && !false", "1 == 1 == true", "now == 1700000000000",
      "root['exists']() == false",
      "'one' != auth.age && auth.age !== 'one'", "2 + 3 * 4 == 14",
      "(2 + 3) * 4 == 20", "10 - 2 - 3 == 5", "\n  auth != null\n  && true\n", "'\\'' == \"'\"",
    ]
  )
  func holds(_ rule: String) throws { #expect(try Self.allows(rule)) }

  @Test(
    "is false for",
    arguments: [
      "false", "auth == null", "auth.name == auth.age", "root.exists()", "root.hasChildren()",
      "root.isString() || root.isNumber() || root.isBoolean()",
      // A rule that can't be evaluated is false, whatever is around the failing part.
      "auth.missing.contains('a')", "!auth.missing.contains('a')", "auth.missing.length > 1",
      "!(auth.missing.length > 1)", "auth.missing > 'a'", "auth.age > 'a'",
      "auth.age - auth.name == 0",
      "1 + auth.missing == 1", "1 + auth.admin == 2", "auth.name - 1 == 0", "-auth.name == 1",
      "root.child(auth.missing).val() == null", "root.hasChild(auth.missing) == false",
      "root.hasChildren([auth.missing]) == false", "'a'.contains(auth.age)",
      "'a1'.replace('a', auth.age) == '11'", "root.parent().exists() == false",
      "auth.missing.contains('a') || true", "auth.age == 1 ? auth.missing.contains('a') : true",
    ]
  )
  func fails(_ rule: String) throws { #expect(try !Self.allows(rule)) }

  @Test(
    "reads data:",
    arguments: [
      ("root.val() == 'x'", #""x""#), ("root.child('a/b').val() == 1", #"{"a":{"b":1}}"#),
      ("root.child('/a//b/').exists()", #"{"a":{"b":1}}"#),
      ("root.hasChild('a/b') && !root.hasChild('a/c')", #"{"a":{"b":1}}"#),
      ("root.hasChildren(['a', 'c']) && root.hasChildren()", #"{"a":1,"c":2}"#),
      ("!root.hasChildren(['a', 'x'])", #"{"a":1,"c":2}"#),
      ("root.child('a').parent().child('c').val() == 2", #"{"a":1,"c":2}"#),
      ("root.val() != null && root.child('a').isNumber()", #"{"a":1}"#),
      ("root.child('a').isString() && root.child('b').isBoolean()", #"{"a":"","b":false}"#),
      ("root.child('a').val().length < 1", #"{"a":""}"#),
      ("root.child('banned/' + auth.uid).val() != true", #"{"banned":{"other":true}}"#),
      ("data.parent().parent().child('a').val() == 1", #"{"a":1}"#),
      ("root.child('a').getPriority() == null", #"{"a":1}"#),
    ]
  )
  func readsData(_ rule: String, _ data: String) throws {
    #expect(try Self.allows(rule, data: data))
  }

  @Test("knows the query")
  func knowsTheQuery() throws {
    let query: JSONObject = [
      "orderByChild": .string("owner"), "equalTo": .string("bob"), "limitToLast": .integer(10),
      "orderByKey": .boolean(false),
    ]
    let rule =
      "query.orderByChild == 'owner' && query.equalTo == 'bob' && query.limitToLast <= 10 && "
      + "query.limitToFirst == null && query.startAt == null && query.orderByKey == false"
    #expect(try Self.allows(rule, query: query))
    // Without a limit, the comparison fails.
    #expect(try !Self.allows("query.limitToFirst <= 10", query: query))
  }

  @Test(
    "doesn't load with",
    arguments: [
      "var x = 8", "root = 5", "auth.uid == '5'; true", "7", "'foo'", "null", "auth", "auth.admin",
      "auth.admin && true", "!auth.admin", "auth.age == 1 ? 7 : true", "auth.age ? true : false",
      "auth.name.contains(7)", "skies == 'blue'", "$other == 'a'", "root.hasChildren('a', 'b')",
      "root.hasChildren('a')", "root.hasChildren(['a', 7])", "root.hasChildren([])",
      "root.val().matches('/foo/')", "auth.name.nothing() == false", "root.val().nothing == false",
      "root.child('a') != null", "root.val() > true", "root.val() <= null", "true < false",
      "'a' < 1", "'a' - 1 == 0", "auth.age - 'a' == 0", "root['nothing']() == true",
      "root['ex' + 'ists']()",
      "root[$color]()", "auth.name['nothing']('a')", "query.nothing == 1", "2 ** 2 == 4",
      "root.val().matches(/a/g)", "root.val().matches(/(^a$|b)/)", "root.val().matches(/^(a|)$/)",
      "root.val().matches(/(/)", "newData.exists()", "root.exists(", "'open", "'a'.matches(/open)",
      "root.child() == null", "root.child('a', 'b').exists()", "1 ? 2", "a.b", "&&", "",
      "true true",
      "'a' . length > 0 #",
      String(repeating: "(", count: 100) + "true"
        + String(repeating: ")", count: 100),
      "true" + String(repeating: " && true", count: 1_000),
    ]
  )
  func doesNotLoad(_ rule: String) throws {
    let error = #expect(throws: CompilationError.self) { try Self.allows(rule) }
    let issue = try #require(error?.issues.first)
    #expect(issue.range != nil && !issue.description.isEmpty)
  }
}
