import Core
import FirestoreModel
import Rules
import Testing

/// The documents of Firestore that rules of Storage read. What production allows was measured.
struct StorageDocumentTests {
  private static let root = "databases/(default)/documents"

  private let scene = StorageScene(
    documents: [
      "\(root)/a/1": ["n": 1, "list": .array([.string("alice")])], "\(root)/a/2": ["n": 2],
      "\(root)/a/3": ["n": 3], "databases/other/documents/a/1": ["n": 1],
    ]
  )

  private static func get(_ id: String) -> String { "firestore.get(/\(root)/a/\(id))" }

  private static func exists(_ id: String) -> String { "firestore.exists(/\(root)/a/\(id))" }

  @Test(arguments: [
    "\(get("1")).data.n == 1", "\(get("1")).id == '1'",
    "\(get("1")).__name__ == /\(root)/a/$('1')", "request.auth.uid in \(get("1")).data.list",
    "firestore.get(path('/\(root)/a/1')).data.n == 1", "\(exists("1"))", "!\(exists("none"))",
    "firestore.get(/databases/(default)/documents/$(name[0])/1).data.n == 1",
    "\(get("none")).data.n == 1 || true", "true || \(get("none")).data.n == 1",
  ])
  func `documents are read by their paths`(condition: String) throws {
    #expect(try scene.refusal(condition) == nil)
  }

  @Test(arguments: [
    "/\(root)/a/none", "/databases/other/documents/a/1", "/a/1", "/\(root)/a", "/\(root)",
    "/projects/demo/\(root)/a/1", "/\(root)/a/$('')", "/b/pictures/o/a/$('b.png')",
  ])
  func `reading anything else is an error`(path: String) throws {
    let refusal = try #require(try scene.refusal("firestore.get(\(path)) != null"))
    #expect(
      refusal.hasPrefix("Service call error. Function: [firestore.get], Argument: [path_value {\n")
    )
  }

  @Test(arguments: [
    ("get(/\(root)/a/1) != null", "Function not found error: Name: [get]."),
    ("exists(/\(root)/a/1)", "Function not found error: Name: [exists]."),
    ("existsAfter(/\(root)/a/1)", "Function not found error: Name: [existsAfter]."),
    (
      "firestore.getAfter(/\(root)/a/1) != null",
      "Function not found error: Name: [firestore.getAfter]."
    ),
    ("firestore != null", "Null value error."),
    (
      "firestore.exists('a')",
      "Unsupported operation error. Received: firestore.exists(string). Expected: firestore.exists(path)."
    ),
    (
      "firestore.get() != 1",
      "Incorrect number of arguments. Received: 0. Expected: firestore.get(path)."
    ),
    ("firestore.get(/a/$(resource.data)) != 1", "Property data is undefined on object."),
  ])
  func `other functions don't exist, and the only argument is a path`(
    condition: String,
    reason: String
  ) throws {
    #expect(try scene.refusal(condition) == reason)
  }

  @Test(arguments: [
    ("\(get("1")).data.n == 1 && \(get("2")).data.n == 2", true),
    ("\(exists("1")) && \(exists("1")) && \(exists("1")) && \(exists("2"))", true),
    ("\(get("1")).data.n == 1 && \(exists("1")) && \(exists("2"))", true),
    ("\(exists("1")) && \(exists("2")) && \(exists("3"))", false),
    ("\(get("1")).data.n == 1 && \(get("2")).data.n == 2 && \(get("3")).data.n == 3", false),
    ("!\(exists("none")) && !\(exists("none2")) && \(exists("3"))", false),
    ("true || \(exists("1")) && \(exists("2")) && \(exists("3"))", true),
  ])
  func `a request reads at most two documents`(condition: String, isAllowed: Bool) throws {
    let refusal = try scene.refusal(condition)
    #expect((refusal == nil) == isAllowed)
    if let refusal { #expect(refusal.hasPrefix("Service call error. Function: [firestore.")) }
  }

  @Test func `statements of one request share the two documents`() throws {
    let ruleset = try StorageScene.ruleset(
      """
      match /{name=**} { allow get: if !\(Self.exists("1")); allow get: if !\(Self.exists("2"));
      allow get: if \(Self.exists("3")); }
      """
    )
    let request = StorageScene.requests().get("a", nil)
    #expect(scene.decide(request, under: ruleset) != .allowed)
  }

  @Test func `a variable hides the namespace`() throws {
    let functions = "function f(firestore) { return firestore.get('n', 0) == 7; }"
    #expect(try scene.refusal("f({'n': 7})", functions: functions) == nil)
    #expect(try scene.refusal("f(\(Self.get("1")).data)", functions: functions) == "false")
  }

  @Test func `rules of Firestore don't have the namespace`() throws {
    let condition = "firestore.get(/\(Self.root)/items/i1) != null"
    #expect(try Scene(documents: ["items/i1": [:]]).refusal(condition) == "Null value error.")
  }

  @Test func `a function outside of services reads with the functions of the request's service`()
    throws
  {
    let ruleset = try Ruleset(
      compiling: """
        rules_version = '2';
        function f() { return firestore.exists(/\(Self.root)/a/1); }
        function g() { return exists(/\(Self.root)/a/1); }
        service firebase.storage { match /b/{b}/o {
          match /f { allow get: if f(); } match /g { allow get: if g(); }
        } }
        """
    )
    let requests = StorageScene.requests()
    #expect(scene.decide(requests.get("f", nil), under: ruleset) == .allowed)
    #expect(scene.decide(requests.get("g", nil), under: ruleset) != .allowed)
  }
}
