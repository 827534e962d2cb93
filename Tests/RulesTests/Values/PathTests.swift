import Core
import FirestoreModel
import Rules
import Testing

struct PathTests {
  @Test(arguments: [
    "path('a/b') == /a/b && path('/a/b').segments() == ['a', 'b']",
    "path('/a/{x}').bind({'x': 'y'}) == /a/y",
    "path('/a/{x}').bind({'x': 1}).x == '1'",
    "path('/a/{x=**}').bind({'x': /b/c}) == /a/b/c",
    "path('/a/{x=**}').bind({'x': /b/c})[2] == 'c'",
    "path('/a/b%20c+d')[1] == 'b c d' && path('/ a /b') == /a/b",
    "/a/$('b/c') != /a/b/c && /a/$(1 + 1) == /a/$('2')",
    "string(path('/a/b')[1:1]) == '/'",
    "path('/a/{x}') != path('/a/{x}')",
    "resource.data.r == /databases/$('(default)')/documents/t/x",
  ])
  func `paths are made of templates`(condition: String) throws {
    let fields: Fields = ["r": .reference("projects/demo/databases/(default)/documents/t/x")]
    #expect(try Outcome.of(condition, fields) == .allowed)
  }

  @Test(arguments: [
    ("path('') == /a", "Empty Path Template is not allowed."),
    ("path('/a//b') == /a", "Invalid Path Template /a//b. Empty segment is not allowed."),
    ("path('/a/{x') == /a", "Invalid Path Template /a/{x. The capture segment is not closed."),
    (
      "path('/{1}') == /a",
      "Invalid Path Template /{1}. [Identifier [1] should start with letter, dollar sign, or "
        + "underscore and should not start with digit and must not contain spaces."
    ),
    ("path('/{x}/{x}') == /a", "Variable x already exists in the PathTemplate."),
    ("path('/a/{x}')[0] == 'a'", "Variable x is not bound in path template."),
    ("path('/a/{x}').x == 'a'", "Variable x is not bound in path template."),
    ("exists(path('/databases/{x}'))", "Variable x is not bound in path template."),
    ("path('/a/{x}').bind({'y': 1}) == /a", "Variable(s) y do not exist in the path template."),
    (
      "path('/a/{x}').bind({'x': ''}) == /a", "Cannot bind empty value to path template variable x."
    ),
    (
      "path('/a/{x}').bind({'x': 'y'}).bind({'x': 'y'}) == /a",
      "Variable x is already bound."
    ),
    (
      "path('/a/{x=**}').bind({'x': 'y'}) == /a", "Type error. Received: [string] Expected: [path]."
    ),
    ("path('/a').b == 1", "Property b is undefined on object."),
    (
      "path('/a%zz') == /a",
      "Unable to decode a%zz to url. Error: URLDecoder: Illegal hex characters in escape (%) pattern"
    ),
  ])
  func `a template that isn't valid is an error`(condition: String, error: String) throws {
    #expect(try Outcome.of(condition) == .failed(error))
  }
}
