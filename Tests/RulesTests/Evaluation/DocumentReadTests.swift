import Core
import FirestoreModel
import Rules
import Testing

struct DocumentReadTests {
  private let scene = Scene(
    documents: [
      "items/i1": ["n": 1, "other": .reference("\(Scene.name)/items/i2")], "items/i2": ["n": 2],
    ],
    changed: ["items/i2": ["n": 3], "items/i3": ["n": 4]]
  )

  @Test(
    arguments: [
      "get(/databases/(default)/documents/items/i2).data.n == 2",
      "get(/databases/$(database)/documents/items/$('i' + '2')).id == 'i2'",
      "get(/databases/(default)/documents/items/i2).__name__ == /databases/(default)/documents/items/i2",
      "get(path('/databases/(default)/documents/items/i2')).data.n == 2",
      "get(resource.data.other).data.n == 2", "get(request.path) == resource",
      "getAfter(/databases/(default)/documents/items/i2).data.n == 3",
      "exists(/databases/(default)/documents/items/i2)",
      "!exists(/databases/(default)/documents/items/i3)",
      "existsAfter(/databases/(default)/documents/items/i3)",
      "!exists(/databases/(default)/documents/items/none/more/none)",
    ]
  )
  func `documents are read by their paths`(condition: String) throws {
    #expect(try scene.refusal(condition) == nil)
  }

  @Test(arguments: ["get", "getAfter"])
  func `a request's own document is null if it doesn't exist`(function: String) throws {
    let ruleset = try Scene.ruleset(
      "match /items/{id} { allow get: if \(function)(request.path) == null && resource == null; }"
    )
    #expect(try scene.get("items/none", under: ruleset) == .allowed)
    #expect(try scene.get("items/i1", under: ruleset) != .allowed)
  }

  @Test(
    arguments: [
      "/databases/(default)/documents/items/none", "/items/i2", "/documents/items/i2",
      "/databases/other/documents/items/i2",
      "/projects/demo/databases/(default)/documents/items/i2",
      "/databases/(default)/documents/items", "/databases/(default)/documents/items/i2/more",
      "/databases/(default)/documents", "/databases/(default)/documents/items/$('')",
    ]
  )
  func `reading anything else is an error`(path: String) throws {
    for function in ["get", "getAfter"] {
      let refusal = try #require(try scene.refusal("\(function)(\(path)) != null"))
      #expect(
        refusal.hasPrefix("Service call error. Function: [\(function)], Argument: [path_value {\n")
      )
    }
  }

  @Test(
    arguments: [
      (
        "get('/items/i2')",
        "Unsupported operation error. Received: get(string). Expected: get(path)."
      ),
      (
        "exists(null)",
        "Unsupported operation error. Received: exists(null). Expected: exists(path)."
      ),
      ("get()", "Incorrect number of arguments. Received: 0. Expected: get(path)."),
    ]
  )
  func `the only argument is a path`(condition: String, reason: String) throws {
    #expect(try scene.refusal("\(condition) == 1") == reason)
  }
}
