import Core

extension RulesValue {
  /// The value for people, as rules write it: `['sarah', 1]`. A long text ends with `…`.
  package var shownText: String {
    var writer = ValueWriter()
    writer.write(self)
    return writer.text
  }
}

/// A writer of values as rules write them. It stops when the text is long enough.
private struct ValueWriter {
  /// The most bytes of a text.
  private static let limit = 1_000

  private(set) var text = ""
  private var isFull = false

  mutating func write(_ value: RulesValue) {
    switch value {
    case .null: add("null")
    case .boolean(let boolean): add(boolean ? "true" : "false")
    case .integer(let integer): add("\(integer)")
    case .float(let float): add(float.javaDescription)
    case .string(let string): write(string)
    case .bytes(let bytes): add("\(bytes.count) bytes")
    case .timestamp(let time): add("\(time)")
    case .duration(let duration): add(duration.shownText)
    case .latLng(let latitude, let longitude): add("latlng.value(\(latitude), \(longitude))")
    case .path(let path): add(path.description)
    case .list(let elements): write(elements)
    case .set(let set):
      write(set.elements)
      add(".toSet()")
    case .map(let map): write(map)
    case .mapDiff(let difference):
      add("a difference in ")
      write(difference.affected.map { .string($0.string) })
    case .vector(let numbers):
      add("vector(")
      write(numbers.lazy.map { .float($0) })
      add(")")
    case .constraint(let constraint): write(constraint)
    }
  }

  private mutating func add(_ part: String) {
    guard !isFull else { return }
    let cut = part.cut(to: Self.limit - text.utf8.count)
    isFull = cut.utf8.count != part.utf8.count
    text += cut
  }

  private mutating func write(_ string: String) {
    // Only as much as is shown is escaped.
    let shown = string.cut(to: Self.limit)
    add("'" + shown.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'")
  }

  private mutating func write(_ elements: some Sequence<RulesValue>) {
    add("[")
    for (index, element) in elements.enumerated() where !isFull {
      if index > 0 { add(", ") }
      write(element)
    }
    add("]")
  }

  private mutating func write(_ map: RulesMap) {
    add("{")
    for (index, key) in map.shownKeys.enumerated() where !isFull {
      if index > 0 { add(", ") }
      write(key.string)
      add(": ")
      write(map[key] ?? .null)
    }
    add(map.isPartial ? (map.count > 0 ? ", …}" : "…}") : "}")
  }

  /// What a query says about a field's value.
  private mutating func write(_ constraint: Constraint) {
    add(constraint.isOfKeys ? "keys" : "any value")
    for (index, condition) in constraint.conditions.enumerated() where !isFull {
      add(index == 0 ? " " : " and ")
      add(condition.comparator.shownText + " ")
      write(condition.value)
    }
  }
}

extension Constraint.Comparator {
  fileprivate var shownText: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .contains: "that contains"
    }
  }
}
