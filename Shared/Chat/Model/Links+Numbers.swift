extension Links {
  /// Seven digits or more with no letter between them, dates, times, spans of years and amounts of
  /// money aside.
  ///
  /// A large number of something else than money is taken for one; one that is written like times
  /// and days throughout, such as `06.12 11.10`, is missed.
  static func telephoneNumbers(in text: [Unicode.Scalar]) -> Set<String> {
    var numbers: Set<String> = []
    var index = text.startIndex
    while index < text.endIndex {
      guard part(of: text[index]) != nil else {
        index += 1
        continue
      }
      let rest = text[index...]
      let run = rest.prefix { part(of: $0) != nil || isSpace($0) }
      let words = run.split(whereSeparator: isSpace).map { $0.compactMap(part).joined() }
      index = run.endIndex
      if !MoneyAmount.isOne(words, before: text[..<run.startIndex], behind: text[index...]) {
        numbers.formUnion(telephoneNumbers(in: words))
      }
    }
    return numbers
  }

  /// A digit in ASCII, or a mark that may stand between digits; nil for anything else.
  private static func part(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "-", "–", "‐", "‑", "‒", "−": return "-"
    case "(", ")", ".", "+", "/": return String(scalar)
    case "·": return "."
    default:
      guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
      else { return nil }
      return String(Int(value))
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .spaceSeparator
  }

  /// What is a date with its year by itself parts numbers.
  private static func telephoneNumbers(in words: [String]) -> [String] {
    var groups: [[String]] = [[]]
    for (index, word) in words.enumerated() {
      if Moment.isDate(word) || word == "-" && isSpanOfYears(words, at: index) {
        if word == "-" { _ = groups[groups.count - 1].popLast() }
        groups.append([])
      } else if index < 2 || words[index - 1] != "-" || !isSpanOfYears(words, at: index - 1) {
        groups[groups.count - 1].append(word)
      }
    }
    return groups.filter { !Moment.areTimes($0) }
      .map { $0.joined().filter(\.isNumber) }
      .filter { $0.utf8.count >= 7 }
  }

  /// Whether the words beside a dash are two years.
  private static func isSpanOfYears(_ words: [String], at index: Int) -> Bool {
    words.indices.contains(index - 1) && words.indices.contains(index + 1)
      && Moment.isDate("\(words[index - 1])-\(words[index + 1])")
      && [words[index - 1], words[index + 1]].allSatisfy { $0.filter(\.isNumber).utf8.count == 4 }
  }
}
