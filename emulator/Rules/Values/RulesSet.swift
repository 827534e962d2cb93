import Core

/// A set of values, in the order in which they were added.
///
/// Two numbers of the same value are one element, whatever their types. See ``Equality``.
package struct RulesSet: Sendable {
  package let elements: [RulesValue]

  /// Creates a set of values that differ.
  private init(unique elements: [RulesValue]) { self.elements = elements }

  /// Creates a set of strings that differ.
  init(keys: [ByteKey]) { elements = keys.map { .string($0.string) } }

  package init(_ elements: [RulesValue]) throws(EvaluationError) {
    var seen: Set<ElementKey> = []
    var unique: [RulesValue] = []
    unique.reserveCapacity(elements.count)
    var writer = ElementKeyWriter()
    for element in elements {
      let key = try writer.key(byValue: element)
      if seen.insert(key).inserted { unique.append(element) }
    }
    self.elements = unique
  }

  package func contains(_ value: RulesValue) throws(EvaluationError) -> Bool {
    var equality = Equality(.byValue)
    for element in elements where try equality.areEqual(element, value) { return true }
    return false
  }

  func isEqual(to other: RulesSet) throws(EvaluationError) -> Bool {
    guard elements.count == other.elements.count else { return false }
    return try keys() == other.keys()
  }

  func union(_ other: RulesSet) throws(EvaluationError) -> RulesSet {
    guard elements.count + other.elements.count <= Limits.elements else { throw .tooLarge }
    return try RulesSet(elements + other.elements)
  }

  func intersection(_ other: RulesSet) throws(EvaluationError) -> RulesSet {
    try filter(isIn: other, true)
  }

  func difference(_ other: RulesSet) throws(EvaluationError) -> RulesSet {
    try filter(isIn: other, false)
  }

  private func filter(isIn other: RulesSet, _ expected: Bool) throws(EvaluationError) -> RulesSet {
    let keys = try other.keys()
    var kept: [RulesValue] = []
    var writer = ElementKeyWriter()
    for element in elements where keys.contains(try writer.key(byValue: element)) == expected {
      kept.append(element)
    }
    return RulesSet(unique: kept)
  }

  func hasAny(_ values: [RulesValue]) throws(EvaluationError) -> Bool {
    let keys = try keys()
    var writer = ElementKeyWriter()
    for value in values where keys.contains(try writer.key(byValue: value)) { return true }
    return false
  }

  func hasAll(_ values: [RulesValue]) throws(EvaluationError) -> Bool {
    let keys = try keys()
    var writer = ElementKeyWriter()
    for value in values where !keys.contains(try writer.key(byValue: value)) { return false }
    return true
  }

  func hasOnly(_ values: [RulesValue]) throws(EvaluationError) -> Bool {
    try RulesSet(values).hasAll(elements)
  }

  func keys() throws(EvaluationError) -> Set<ElementKey> {
    var keys = Set<ElementKey>(minimumCapacity: elements.count)
    var writer = ElementKeyWriter()
    for element in elements { keys.insert(try writer.key(byValue: element)) }
    return keys
  }
}
