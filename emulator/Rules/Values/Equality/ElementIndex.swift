/// The elements of a list, to search many values in. See ``Equality``.
///
/// A short list is compared element by element. A longer one is indexed once, so that the cost is
/// linear.
struct ElementIndex {
  private let elements: [RulesValue]
  /// The elements' keys, or `nil` if the elements are compared one by one.
  private var keys: Set<ElementKey>?
  private var writer = ElementKeyWriter()

  /// - Parameter searches: How many values will be searched.
  init(_ elements: [RulesValue], searches: Int) throws(EvaluationError) {
    self.elements = elements
    // 64 comparisons cost about as much as a few keys.
    guard elements.count * searches > 64 else { return }
    var keys = Set<ElementKey>(minimumCapacity: elements.count)
    for element in elements {
      if let key = try writer.key(element: element) { keys.insert(key) }
    }
    self.keys = keys
  }

  mutating func contains(_ value: RulesValue) throws(EvaluationError) -> Bool {
    if let keys {
      guard let key = try writer.key(element: value) else { return false }
      return keys.contains(key)
    }
    for element in elements where try RulesValue.areSameElement(element, value) { return true }
    return false
  }

  mutating func containsAll(of values: [RulesValue]) throws(EvaluationError) -> Bool {
    for value in values where try !contains(value) { return false }
    return true
  }

  mutating func containsAny(of values: [RulesValue]) throws(EvaluationError) -> Bool {
    for value in values where try contains(value) { return true }
    return false
  }
}
