import Core

extension RulesValue {
  static func call(
    _ method: String,
    on elements: [RulesValue],
    _ arguments: Arguments
  ) throws(EvaluationError) -> RulesValue? {
    switch (method, arguments) {
    case ("size", .none): return .integer(Int64(elements.count))
    case ("hasAny", .one(.list(let others))):
      var index = try ElementIndex(elements, searches: others.count)
      return .boolean(try index.containsAny(of: others))
    case ("hasAll", .one(.list(let others))):
      var index = try ElementIndex(elements, searches: others.count)
      return .boolean(try index.containsAll(of: others))
    case ("hasOnly", .one(.list(let others))):
      var index = try ElementIndex(others, searches: elements.count)
      return .boolean(try index.containsAll(of: elements))
    case ("removeAll", .one(.list(let others))):
      return .list(try removing(others, from: elements))
    case ("concat", .one(.list(let others))): return .list(try concatenation(elements, others))
    case ("join", .one(.string(let separator))):
      return .string(try joined(elements, by: separator))
    case ("toSet", .none): return .set(try RulesSet(elements))
    default: return nil
    }
  }

  private static func removing(
    _ others: [RulesValue],
    from elements: [RulesValue]
  ) throws(EvaluationError) -> [RulesValue] {
    var index = try ElementIndex(others, searches: elements.count)
    var remaining: [RulesValue] = []
    for element in elements where try !index.contains(element) { remaining.append(element) }
    return remaining
  }

  private static func concatenation(
    _ left: [RulesValue],
    _ right: [RulesValue]
  ) throws(EvaluationError) -> [RulesValue] {
    guard left.count + right.count <= Limits.elements else { throw .tooLarge }
    return left + right
  }

  private static func joined(
    _ elements: [RulesValue],
    by separator: String
  ) throws(EvaluationError) -> String {
    var text = ""
    for (index, element) in elements.enumerated() {
      if index > 0 { text += separator }
      text += try element.converted()
      guard text.utf8.count <= Limits.bytes else { throw .tooLarge }
    }
    return text
  }
}
