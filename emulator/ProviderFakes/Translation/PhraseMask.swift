/// A variable part of a phrase: a name, a number or a time.
///
/// In the phrase, a symbol stands for the part. In a translation, the message's own text replaces
/// the symbol. A client's placeholder, such as `[X0X]`, matches any mask.
enum PhraseMask: String, CaseIterable, Sendable {
  // The first two symbols contain the symbol of a number, so they are searched first.
  case time = "#:#"
  case percentage = "#%"
  case number = "#"
  case name = "@"

  /// Returns the masks of a phrase with the number of their occurrences.
  static func masks(in phrase: String) -> [PhraseMask: Int] {
    var rest = phrase
    var masks: [PhraseMask: Int] = [:]
    for mask in allCases {
      let pieces = rest.split(separator: mask.rawValue, omittingEmptySubsequences: false)
      if pieces.count > 1 { masks[mask] = pieces.count - 1 }
      rest = pieces.joined()
    }
    return masks
  }

  /// Returns the phrase with its masks replaced by the values.
  static func fill(_ phrase: String, with values: [PhraseMask: String]) -> String {
    let place = allCases.lazy.compactMap { mask in
      values[mask].flatMap { value in phrase.firstRange(of: mask.rawValue).map { ($0, value) } }
    }.first
    // An inserted value isn't searched again, because it may look like a mask.
    guard let (range, value) = place else { return phrase }
    return fill(String(phrase[..<range.lowerBound]), with: values) + value
      + fill(String(phrase[range.upperBound...]), with: values)
  }
}
