import Rules
import Testing

/// The texts that the compiler accepts and refuses. The expectations are Google's emulator's answers.
struct RulesetCompilingTests {
  @Test(arguments: [
    "1 / 2 == 0", "1/ 2 == 0", "/a / b == c", "/a-b/c_d/1.2 == d", "/(default)/a == d",
    "/a/$( b )/c == d", "/a/'b' == x", "/a/%41 == x", "/a/* == x", "/a/{b=**} == x",
    "/a/// b\n== x",
    "/a.b/c == d", "/a/[1, 2] == x", "[/a/b, /c/d] == x", "true ? /a/b : /c/d", "x.in == 1",
    "x.if == 1", "x.var",
    "x\n.\na", "{'a':1,}.a == 1", "[1,] == x", "f(1,)", "x[:]", "x[1:]", "x[:1]", "-a.b == 1",
    "!!a", "!-a", "-(-a) == 1", "a - -b == 1", "a is int < b", "a in b in c", "a is map",
    "1. == .5", "-9223372036854775808 == 1", "'\\x41\\u0041\\101\\n\\'\\\"\\\\' == ''",
    "'é😀' == ''",
    "b'é' == B\"\\xff\"", "'\t\u{1}' == ''", "'' == \"\"", "$a == _b", "True", "as", "(((a)))",
    "a ? b ? c : d : e", "'a'.matches('^a+$')", "true /* c */ // d", "vector([1.0]) == x",
  ])
  func `a valid condition compiles`(expression: String) {
    #expect(RulesetText.errors(of: RulesetText.condition(expression)) == [])
  }

  @Test(arguments: [
    ("1/2 == 0", "6:2 Missing 'match' keyword before path."),
    ("x == /a/b/", "6:10 Forward slash '/' found where identifier or binding expected."),
    ("/a/$(b)_x == c", "6:8 Unexpected '_x'."), ("/a/b?", "7:1 Unexpected ';'."),
    ("/a[0] == /b/[0]", "6:12 Forward slash '/' found where identifier or binding expected."),
    ("a++", "7:1 Increment (++) and decrement (--) operators are not supported."),
    ("--a", "6:3 Increment (++) and decrement (--) operators are not supported."),
    ("- -a", "6:3 Unexpected '-'."), ("+a", "6:1 Missing conditional expression after 'if'."),
    ("", "7:1 Missing conditional expression after 'if'."), ("a = b", "6:3 Unexpected '='."),
    ("a === b", "6:5 Unexpected '='."), ("a & b", "6:5 Unexpected 'b'."),
    ("a)", "6:2 Unexpected ')'."), ("(a", "7:1 Unexpected ';'."), ("f()()", "6:4 Unexpected '('."),
    ("x.if()", "6:5 Unexpected '('."), ("x[]", "6:3 Unexpected ']'."),
    ("[1,,2]", "6:4 Unexpected ','."), ("{a}", "6:3 Unexpected '}'."),
    ("00 == 0", "6:2 Unexpected '0'."), ("1e3 == 0", "6:2 Unexpected 'e3'."),
    ("0x1 == 0", "6:2 Unexpected 'x1'."), ("1_0 == 0", "6:2 Unexpected '_0'."),
    ("9223372036854775808 == 0", "6:1 Invalid number literal 9223372036854775808."),
    ("'a", "7:1 Missing a closing '"), ("'a\nb'", "7:1 Missing a closing '"),
    ("'\\d' == ''", "6:3 Missing a closing '"), ("'a\u{8}b'", "6:4 Missing a closing '"),
    ("b'\\u0041' == x", "6:1 Invalid bytes literal b'\\u0041'."),
    ("'''a'''", "6:3 Unexpected ''a''."),
    ("deny", "6:1 Missing conditional expression after 'if'."),
    ("each", "6:1 Missing conditional expression after 'if'."),
    ("é == 1", "6:3 Missing conditional expression after 'if'."),
    ("#a", "6:1 token recognition error at: '#'"), ("a\0", "6:2 token recognition error at: '\0'"),
    ("\u{feff}a", "6:1 token recognition error at: '\u{feff}'"),
    ("a /*", "6:3 Missing 'match' keyword before path."),
    ("math == 1", "6:1 math is a package and cannot be used as variable name."),
    ("(math).abs(1) == 1", "6:2 math is a package and cannot be used as variable name."),
    ("'a'.matches('[')", "6:13 Invalid regular expression pattern. Pattern: [."),
    ("a is null", "6:6 Unexpected 'null'."),
    (
      "a is foo",
      "7:1 An unsupported type identifier was used with the 'is' operator. Received foo. Expected "
        + "one of bool,bytes,constraint,duration,float,int,latlng,list,vector,set,number,map,string,"
        + "timestamp,path,map_diff"
    ),
  ])
  func `an invalid condition is refused at its first error`(expression: String, line: String) {
    let issues = RulesetText.errors(of: RulesetText.condition(expression))
    #expect(issues.first?.line == line)
  }

  private static let block = " match /a/{b} { allow read; } }"

  @Test(arguments: [
    "rules_version = '2';\nservice cloud.firestore {\(block)",
    "rules_version='1'\nservice cloud.firestore{\(block)",
    "//x\r\nrules_version\n=\n\"2\"\n;\nservice cloud.firestore {\(block)",
    "service cloud.firestore {\(block)service firebase.storage {\(block)",
    "function f() { return true } service cloud.firestore {\(block)function g() { return f(); }",
    "service a.b-c.1 {\(block)", "service match {\(block)",
    RulesetText.service("match /{a=**}/b/{c} { allow read: if true allow write, create }"),
    RulesetText.service("match /a/{b =**} { allow reed; } match/a\n/ {b}{allow get}"),
    RulesetText.service("match /a/(default)/'c'/{b=*} { allow/**/read:if(true); }"),
    RulesetText.functions("function f() { let a = 1; let b = a; return/a/$(b) }"),
    RulesetText.functions(
      "function f() { return g(1, 2); } function g(request, get) { return get; }"
    ),
  ])
  func `a valid ruleset compiles`(source: String) {
    #expect(RulesetText.errors(of: source) == [])
  }

  @Test(arguments: [
    ("", "0:0 Rules content empty. Compilation aborted."), (" ", "1:2 Unexpected '<EOF>'."),
    ("rules_version = '2';", "1:21 Unexpected '<EOF>'."),
    ("\u{feff}service cloud.firestore {\(block)", "1:1 token recognition error at: '\u{feff}'"),
    ("rules_version = '3'; service a.b {\(block)", "1:1 Unsupported rules version 3."),
    ("rules_version = '02'; service a.b {\(block)", "1:1 Unsupported rules version 02."),
    ("rules_version = '2';; service a.b {\(block)", "1:21 Unexpected ';'."),
    ("rules_version = 2; service a.b {\(block)", "1:17 Unexpected '2'."),
    ("service a.b {\(block) rules_version = '2';", "1:46 Unexpected 'rules_version'."),
    ("import 'a'; service a.b {\(block)", "1:1 Import statements are not allowed."),
    ("service a.b {}", "1:14 The 'service' body must contain at least one declaration."),
    ("service a.b {\(block)service a.b {\(block)", "1:53 Duplicate service name declaration."),
    ("service a.b {\(block) x", "1:46 Unexpected 'x'."),
    ("service a .b {\(block)", "1:11 Unexpected '.'."),
    ("service a.b {\(block)}", "1:45 Unexpected '}'."),
    ("service a.b {\(block.dropLast())", "1:44 Unexpected '<EOF>'."),
    ("service a_b {\(block)", "1:10 Unexpected '_b'."),
    (
      RulesetText.service("match /a {}"),
      "2:11 The 'match' body must contain at least one declaration."
    ),
    (RulesetText.service("/a { allow read; }"), "2:1 Missing 'match' keyword before path."),
    (RulesetText.service("match a { allow read; }"), "2:7 Unexpected 'a'."),
    (RulesetText.service("match /a/{b}c { allow read; }"), "2:13 Unexpected 'c'."),
    (RulesetText.service("match /a/{b};"), "2:13 Unexpected ';'."),
    (
      RulesetText.service("match /a/b/ { allow read; }"),
      "2:11 Forward slash '/' found where identifier or binding expected."
    ),
    (
      RulesetText.service("match /a/b { allow; }"),
      "2:19 Expected at least one 'operation' after 'allow'."
    ),
    (RulesetText.service("match /a/b { allow read,; }"), "2:24 Unexpected ','."),
    (
      RulesetText.service("match /a/b { allow read if true; }"),
      "2:25 Missing ':' before 'if' condition."
    ),
    (
      RulesetText.service("match /a/b { allow read: true; }"),
      "2:26 Missing 'if' before conditional expression."
    ),
    (RulesetText.service("match /a/b { allow read: if true;; }"), "2:34 Unexpected ';'."),
    (
      "service a.b { function f() { let x = 1; return x; }\(block)",
      "1:34 Let bindings are not allowed in rules_version=\"1\";"
    ),
    (RulesetText.functions("function f() { }"), "2:16 Missing 'function' body"),
    (RulesetText.functions("function f { return 1; }"), "2:12 Missing 'function' signature"),
    (RulesetText.functions("function () { return 1; }"), "2:10 Missing 'function' id"),
    (RulesetText.functions("function in() { return 1; }"), "2:10 Unexpected 'in'."),
    (RulesetText.functions("function f(a,) { return a; }"), "2:14 Unexpected ')'."),
    (RulesetText.functions("function f() { let a = 1 return a; }"), "2:26 missing ';' at 'return'"),
    (RulesetText.functions("function f() { return 1; return 2; }"), "2:26 Unexpected 'return'."),
  ])
  func `an invalid ruleset is refused at its first error`(source: String, line: String) {
    #expect(RulesetText.errors(of: source).first?.line == line)
  }

  @Test func `methods that stand for several are replaced`() throws {
    let ruleset = try Ruleset(
      compiling: RulesetText.service("match /a/b { allow read, delete, nope; allow write; }")
    )
    let allows = try #require(ruleset.services.first?.matches.first?.allows)
    #expect(allows.map(\.methods) == [[.get, .list, .delete], [.create, .update, .delete]])
    #expect(ruleset.version == .two)
    #expect(ruleset.services.map(\.name) == ["cloud.firestore"])
  }

  @Test func `a function outside of services is not one of the service's own`() throws {
    let ruleset = try Ruleset(
      compiling: "function f() { return 1; } service cloud.firestore { function f() { return 2; } "
        + "match /a/b { allow read: if f() == 2; } }"
    )
    let service = try #require(ruleset.services.first)
    #expect(service.functions.map(\.range.start) == [53])
    #expect(ruleset.functions.map(\.range.start) == [0])
  }
}
