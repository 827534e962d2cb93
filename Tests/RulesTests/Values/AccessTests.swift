import FirestoreModel
import Rules
import Testing

struct AccessTests {
  @Test(arguments: [
    "{'a': {'b': 1}}.a.b == 1",
    "{'a': 1}['a'] == 1",
    "[1, 2][1] == 2",
    "'abc'[1] == 'b'",
    "/a/b[1] == 'b'",
    "[1, 2, 3][1:3] == [2, 3]",
    "[1, 2, 3][:2] == [1, 2]",
    "[1, 2, 3][1:] == [2, 3]",
    "[1, 2, 3][1:1] == []",
    "[1, 2, 3][null:2] == [1, 2]",
    "'héllo'[1:3] == 'él'",
    "'a😀b'[1:3] == '😀'",
    "path('/a/b/c')[1:] == path('/b/c')",
    "path('/a/{x}').bind({'x': 'b'})[1:].x == 'b'",
  ])
  func `parts of values are found by name, index and range`(condition: String) throws {
    #expect(try Outcome.of(condition) == .allowed)
  }

  @Test(arguments: [
    ("{'a': 1}.b == 1", "Property b is undefined on object."),
    ("null.b == 1", "Null value error."),
    ("1.0.b == 1", "Type error. Received: [float] Expected: [map,path]."),
    ("'a'.b == 1", "Type error. Received: [string] Expected: [map,path]."),
    ("[1][1] == 1", "Index out of bound error. Index: [1] , size: [1]."),
    ("[1][-1] == 1", "Index out of bound error. Index: [-1] , size: [1]."),
    ("[1]['a'] == 1", "Unsupported operation error. Received: list[string]. Expected: list[int]."),
    ("{'a': 1}[0] == 1", "Unsupported operation error. Received: map[int]. Expected: map[string]."),
    (
      "path('/a')[1.5] == 1",
      "Unsupported operation error. Received: path[float]. Expected: path[string], path[int]."
    ),
    ("1[0] == 1", "Function not found error: Name: [[]]."),
    ("1[0:1] == 1", "Function not found error: Name: [@range]."),
    ("[].toSet()[0] == 1", "Function not found error: Name: [[]]."),
    // The last element of a slice must exist, even if the slice is empty.
    ("[1, 2, 3][3:3] == []", "Index out of bound error. Index: [3] , size: [3]."),
    ("[1, 2, 3][:0] == []", "Index out of bound error. Index: [-1] , size: [3]."),
    ("[1, 2, 3][0:4] == []", "Index out of bound error. Index: [3] , size: [3]."),
    ("[1, 2, 3][2:1] == []", "Illegal range error. From index: [2] , To index: [1]."),
    (
      "'abc'[0:'b'] == 'a'",
      "Unsupported operation error. Received: string[int:string]. Expected: string[null:null], "
        + "string[null:int], string[int:null], string[int:int]."
    ),
    ("'😀'[0] == '😀'", "The slice divides a character."),
    ("'😀'[0:1] != 'a'", "The slice divides a character."),
  ])
  func `a part that doesn't exist is an error`(condition: String, error: String) throws {
    #expect(try Outcome.of(condition) == .failed(error))
  }

  @Test func `an unknown method is reported before errors of its arguments`() throws {
    #expect(
      try Outcome.of("'a'.nope(resource.data.x)")
        == .failed("Function not found error: Name: [nope].")
    )
    #expect(
      try Outcome.of("'a'.split(resource.data.x)")
        == .failed("Property x is undefined on object.")
    )
  }
}
