import Rules
import Testing

/// The errors and warnings about rulesets without errors of syntax. The expectations are the
/// answers of Google's emulator.
struct RulesetCheckTests {
  private static let wildcards = (0..<21).map { "/{a\($0)}" }.joined()
  private static let bindings = (0..<12).map { "let a\($0) = 1;" }.joined()

  private static func chain(_ count: Int) -> String {
    (0..<count - 1).map { "function f\($0)() { return f\($0 + 1)(); } " }.joined()
      + "function f\(count - 1)() { return true; } function f() { return f0(); }"
  }

  private static func nested(_ count: Int) -> String {
    String(repeating: "match /a {", count: count) + "allow read;"
      + String(repeating: "}", count: count)
  }

  @Test(arguments: [
    (RulesetText.functions("function f() { return f(); }"), "2:10 Recursive call is not allowed."),
    (
      RulesetText.functions(
        "function f() { return g(); } function g() { return h() || f(); } function h() { return 1; }"
      ),
      "2:10 Detected a call cycle between [f,g] functions."
    ),
    (
      RulesetText.functions(chain(21)),
      "2:618 Maximum allowed call depth of 20 is reached for [f->f0->f1->f2->f3->f4->f5->f6->f7->f8"
        + "->f9->f10->f11->f12->f13->f14->f15->f16->f17->f18->f19] call stack."
    ),
    (
      RulesetText.functions("function f() { return 1; } function f() { return 2; }"),
      "2:37 Function f is already defined."
    ),
    (
      RulesetText.functions("function f(a, a) { return a; }"), "2:15 Variable a is already defined."
    ),
    (
      RulesetText.functions("function f(a) { let a = 1; return a; }"),
      "2:21 The identifier [a] is already bound in the current scope."
    ),
    (
      RulesetText.functions("function f(a,b,c,d,e,g,h,i) { return 1; }"),
      "2:10 Maximum allowed function arguments of 7 for function f is reached."
    ),
    (
      RulesetText.functions("function f() { \(bindings) return 1; }"),
      "2:158 Maximum allowed variable count of 10 for a given function has been reached."
    ),
    (
      RulesetText.functions("function f(math) { return 1; }"),
      "2:12 math is a package and cannot be used as variable name."
    ),
    (
      RulesetText.service("match /{a}/{a} { allow read; }"),
      "2:13 Variable a already exists in the PathTemplate."
    ),
    (
      RulesetText.service("match /{a=**}/{b=**} { allow read; }"),
      "2:16 Invalid glob match expression. Only one glob match is permitted in a match declaration path."
    ),
    (
      RulesetText.service("match /{a=**} { match /b/{c=**} { allow read; } }"),
      "2:17 Invalid glob match expression. Only one glob match is permitted in a match declaration path."
    ),
    (
      "service cloud.firestore { match /{a=**}/b { allow read; } }",
      "1:35 Invalid glob match expression. Glob matches are permitted as the last segment in a match declaration path."
    ),
    (
      RulesetText.service("match \(wildcards) { allow read; }"),
      "2:1 Maximum allowed amount of 20 match field variables is reached."
    ),
    (
      RulesetText.service("match " + String(repeating: "/a", count: 101) + " { allow read; }"),
      "2:1 Maximum allowed path length of 100 is reached."
    ),
    (
      RulesetText.service(nested(12)), "2:111 Maximum allowed resource rule depth of 10 is reached."
    ),
    (RulesetText.service(nested(64)), "2:631 Rule hierarchy is too complex to evaluate safely."),
  ])
  func `an invalid declaration is an error`(source: String, line: String) {
    #expect(RulesetText.errors(of: source).map(\.line) == [line])
  }

  @Test(arguments: [
    RulesetText.functions(chain(20)), RulesetText.service(nested(11)),
    RulesetText.service("match " + String(repeating: "/a", count: 100) + " { allow read; }"),
    RulesetText.service("match /{a=**} { match /{a} { allow read; } }"),
    RulesetText.functions("function f() { return g(g(1)); } function g(x) { return x; }"),
    "service cloud.firestore { match /{a=**} { match /{b=**} { allow read; } } }",
  ])
  func `a declaration within the limits is not an error`(source: String) {
    #expect(RulesetText.errors(of: source) == [])
  }

  @Test(arguments: [
    (
      "service cloud.firestore { match /a/b { allow read; } }",
      [
        "0:0 Ruleset uses old version (version [1]). Please update to the latest version (version [2])."
      ]
    ),
    (
      RulesetText.functions("function f() { return true; } function g(a) { let b = 1; return 1; }"),
      ["2:40 Unused function: g.", "2:42 Unused variable: a.", "2:51 Unused variable: b."]
    ),
    (RulesetText.functions("function f() { return b; }"), ["2:23 Invalid variable name: b."]),
    (
      RulesetText.functions("function f(a) { return a; }"),
      ["2:59 Incorrect number of arguments supplied to function: f."]
    ),
    (
      RulesetText.service(
        "match /a/{b} { function g() { return b == 'x'; } allow read, reed: if g(); }"
      ),
      ["2:62 Invalid method name: reed."]
    ),
    (
      "rules_version = '2'; service a.b { match /a/b { allow read; } }",
      ["1:30 Invalid service name: a.b.", "1:55 Invalid method name: read."]
    ),
    (
      "rules_version = '2'; service firebase.storage { match /b/{b}/o/{p=**} { allow read: if "
        + "firestore.get(/a/b).data.x && get(/a/b) == 1 && resource.size > 1; } }",
      ["1:118 Invalid function name: get."]
    ),
  ])
  func `a doubtful declaration is a warning`(source: String, lines: [String]) {
    #expect(RulesetText.issues(of: source).map(\.line) == lines)
  }

  @Test(arguments: [
    (
      "nofn(1) && undef.x",
      ["6:1 Invalid function name: nofn.", "6:12 Invalid variable name: undef."]
    ),
    ("'a'.nope()", ["6:5 Invalid function name: nope."]),
    ("math.nope(1)", ["6:6 Invalid function name: math.nope."]),
    ("math.abs() == 1", ["6:6 Incorrect number of arguments supplied to function: math.abs."]),
    ("exists()", ["6:1 Incorrect number of arguments supplied to function: exists."]),
    ("exists(1)", ["6:8 Invalid type. Received one of [int]. Expected one of [path]."]),
    ("1 && true", ["6:1 Invalid type. Received one of [int]. Expected one of [bool]."]),
    (
      "request.a[true]",
      ["6:11 Invalid type. Received one of [bool]. Expected one of [int, string]."]
    ),
    (
      "(-request.a).b",
      ["6:2 Invalid type. Received one of [int, float, duration]. Expected one of [map]."]
    ),
    (
      "request.a + 1",
      [
        "6:11 Invalid type. Permission statements expect a boolean value. Received one of [int, float, string, duration, timestamp]."
      ]
    ),
    (
      "(id)",
      [
        "6:1 Invalid type. Permission statements expect a boolean value. Received one of [string].",
        "6:1 Invalid type. There is no type for variable 'id' that satisfies all clauses.",
      ]
    ),
    (
      "id == 1 || 1.0 == 1 || id != null",
      [
        "6:4 The sub-expressions are not comparable, so this comparison will always return false.",
        "6:27 The sub-expressions are not comparable, so this comparison will always return true.",
      ]
    ),
    ("true ? 1 : request.a", ["6:8 Invalid type. Received one of [int]. Expected one of [bool]."]),
    (
      "(true ? 1 : 'a') == id",
      [
        "6:7 Ternary operator result if condition is true has a different type than if condition is false."
      ]
    ),
    ("resource.data.nope.x && request.auth.uid == 1", []),
    ("{'a': 1}.a == get(/a/b).c[0:1].size()", []),
    (
      "request.time < timestamp.date(2030.5, 1, 1)",
      ["6:31 Invalid type. Received one of [float]. Expected one of [int]."]
    ),
  ])
  func `a doubtful expression is a warning`(expression: String, lines: [String]) {
    #expect(RulesetText.issues(of: RulesetText.condition(expression)).map(\.line) == lines)
  }

  private static func storage(_ condition: String) -> String {
    "rules_version = '2'; service firebase.storage {\n"
      + "match /b/{bucket}/o/{name=**} { allow read: if \(condition); } }"
  }

  /// The warnings about `firestore` are not Google's: its emulator doesn't know the namespace.
  @Test(
    arguments: [
      (storage("firestore.get(/a/b).data.n == 1 && firestore.exists(/a/b)"), []),
      (storage("resource.size < 5 && resource.any == request.query.any && bucket == 'x'"), []),
      (
        storage("firestore.exists('x')"),
        [
          "2:65 Invalid type. Received one of [string]. Expected one of [path]."
        ]
      ),
      (
        storage("firestore.get()"),
        [
          "2:58 Incorrect number of arguments supplied to function: firestore.get."
        ]
      ),
      (storage("firestore.getAfter(/a/b)"), ["2:58 Invalid function name: firestore.getAfter."]),
      (storage("firestore == null"), ["2:48 Invalid variable name: firestore."]),
      (storage("get(/a/b).data.n == 1"), ["2:48 Invalid function name: get."]),
      (storage("existsAfter(/a/b)"), ["2:48 Invalid function name: existsAfter."]),
      (
        "rules_version = '2'; function f(firestore) { return firestore.exists(/a/b); }\n"
          + "service firebase.storage { match /a { allow read: if f(1); } }",
        ["1:63 Invalid function name: exists."]
      ),
      (
        "rules_version = '2'; function f() { return get(/a/b); }\n"
          + "service firebase.storage { match /a { allow read: if f(); } }",
        ["1:44 Invalid function name: get."]
      ),
      (
        "rules_version = '2'; function f() { return firestore.get(/a/b); }\n"
          + "service firebase.storage { match /a { allow read: if f(); } }", []
      ),
      (
        "rules_version = '2'; function f() { return firestore.exists(/a/b); }\n"
          + "service cloud.firestore { match /a/b { allow read: if f(); } }",
        ["1:44 Invalid variable name: firestore.", "1:54 Invalid function name: exists."]
      ),
    ] as [(String, [String])]
  )
  func `rules of Storage have functions of their own`(source: String, lines: [String]) {
    #expect(RulesetText.issues(of: source).map(\.line) == lines)
  }
}
