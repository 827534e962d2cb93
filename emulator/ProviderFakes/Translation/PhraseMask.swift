/// What a phrase leaves open: a name, a number, a time. In the text of a phrase a symbol stands for
/// each, and what a message has there stays as it is. A placeholder that a client put there can be
/// any of them.
enum PhraseMask: String, CaseIterable, Sendable {
  // These hold a number's symbol, and are looked for first.
  case time = "#:#"
  case percentage = "#%"
  case number = "#"
  case name = "@"

  /// The masks of a phrase, each as often as it has it.
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

  /// The phrase with the values at its masks.
  static func fill(_ phrase: String, with values: [PhraseMask: String]) -> String {
    let place = allCases.lazy.compactMap { mask in
      values[mask].flatMap { value in phrase.firstRange(of: mask.rawValue).map { ($0, value) } }
    }.first
    // What was filled in is not looked at again: it may look like a mask.
    guard let (range, value) = place else { return phrase }
    return fill(String(phrase[..<range.lowerBound]), with: values) + value
      + fill(String(phrase[range.upperBound...]), with: values)
  }
}
