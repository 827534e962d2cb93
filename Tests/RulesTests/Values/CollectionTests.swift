import Rules
import Testing

struct CollectionTests {
  @Test(arguments: [
    "[].hasAny([]) || [1].toSet().hasAny([])",
    "[1, 2].hasOnly([1])",
    "[1].toSet().hasOnly([2].toSet())",
  ])
  func `these conditions are false`(condition: String) throws {
    #expect(try Outcome.of(condition) == .denied)
  }

  @Test(arguments: [
    "[1, 2].hasAny([2, 3]) && [1, 2].hasAll([2]) && [1, 1].hasOnly([1, 2])",
    "[].hasAll([]) && [].hasOnly([1])",
    "[1, 2].concat([2]) == [1, 2, 2]",
    "[1, 2, 1].removeAll([1]) == [2]",
    "[1.0, true, null, 'a', /a/b].join(',') == '1.0,true,null,a,/a/b'",
    "[].join(',') == ''",
    "[1, 1, 2].toSet().size() == 2",
    "[1, 2].toSet() == [2, 1].toSet()",
    "[1].toSet().union([2].toSet()) == [1, 2].toSet()",
    "[1, 2].toSet().intersection([2, 3].toSet()) == [2].toSet()",
    "[1, 2].toSet().difference([2].toSet()) == [1].toSet()",
    "[1, 2].toSet().hasAll([1]) && [1].toSet().hasOnly([1, 2]) && [1].toSet().hasAny([1].toSet())",
    "[[1, 2].toSet()] == [[2, 1].toSet()]",
    "{'a': 1, 'b': 2}.size() == 2",
    "{'b': 1, 'é': 1, 'B': 1}.keys() == ['B', 'b', 'é']",
    "{'a': 1}.values() == [1]",
    "{'a': 1}.get('a', 2) == 1 && {'a': 1}.get('b', 2) == 2 && {'a': null}.get('a', 2) == null",
    "{'a': {'b': 1}}.get(['a', 'b'], 2) == 1 && {'a': 1}.get(['a', 'b'], 2) == 2",
    "{'a': 1}.get([], 2) == {'a': 1}",
    "{'a': 1, 'b': 2}.diff({'b': 3, 'c': 4}).addedKeys() == ['a'].toSet()",
    "{'a': 1, 'b': 2}.diff({'b': 3, 'c': 4}).removedKeys() == ['c'].toSet()",
    "{'a': 1, 'b': 2}.diff({'b': 3, 'c': 4}).changedKeys() == ['b'].toSet()",
    "{'a': 1, 'b': 2}.diff({'b': 2, 'c': 4}).unchangedKeys() == ['b'].toSet()",
    "{'a': 1, 'b': 2}.diff({'b': 3, 'c': 4}).affectedKeys().hasOnly(['a', 'b', 'c'])",
  ])
  func `lists, sets and maps have methods`(condition: String) throws {
    #expect(try Outcome.of(condition) == .allowed)
  }

  @Test(arguments: [
    (
      "[1].hasAny([1].toSet())",
      "Unsupported operation error. Received: list.hasAny(set). Expected: list.hasAny(list)."
    ),
    (
      "[1].toSet().hasAll(1)",
      "Unsupported operation error. Received: set.hasAll(int). "
        + "Expected: set.hasAll(set), set.hasAll(list)."
    ),
    (
      "{}.get('a') == 1",
      "Incorrect number of arguments. Received: 1. "
        + "Expected: map.get(string, any), map.get(list, any)."
    ),
    ("{'a': 1}.get([1], 2) == 1", "Type error. Received: [int] Expected: [string]."),
    (
      "[[1]].join(',') == ''",
      "Unsupported operation error. Received: string(list). Expected: string(int), "
        + "string(float), string(null), string(string), string(bool), string(path)."
    ),
    ("{'a': 1}.a.b() == 1", "Function not found error: Name: [b]."),
  ])
  func `other arguments are errors`(condition: String, error: String) throws {
    #expect(try Outcome.of(condition) == .failed(error))
  }
}
