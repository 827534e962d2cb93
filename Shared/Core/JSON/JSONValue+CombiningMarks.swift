extension JSONValue {
  /// A Boolean value that indicates whether a string or a field's name, at any depth, has more than
  /// 30 combining marks in a row.
  package var hasLongRunOfCombiningMarks: Bool {
    switch self {
    case .null, .boolean, .integer, .number: false
    case .string(let text): text.hasLongRunOfCombiningMarks
    case .array(let values): values.contains(where: \.hasLongRunOfCombiningMarks)
    case .object(let members):
      members.contains {
        $0.string.hasLongRunOfCombiningMarks || $1.hasLongRunOfCombiningMarks
      }
    }
  }

  /// The value with at most 30 combining marks in a row. If the names of two fields become equal,
  /// one of the fields is dropped.
  package var limitingCombiningMarks: JSONValue {
    switch self {
    case .null, .boolean, .integer, .number: self
    case .string(let text): .string(text.limitingCombiningMarks)
    case .array(let values): .array(values.map(\.limitingCombiningMarks))
    case .object(let members):
      .object(
        JSONObject(
          members.map { ($0.string.limitingCombiningMarks, $1.limitingCombiningMarks) }
        )
      )
    }
  }
}
