extension PlainText {
  /// Returns the telephone numbers in a text: seven digits or more without a letter between them,
  /// except dates, times, spans of years and money amounts.
  ///
  /// The result includes large numbers that aren't money. It lacks numbers whose parts all look
  /// like times or dates, such as `06.12 11.10`.
  static func telephoneNumbers(in text: [Unicode.Scalar]) -> Set<String> {
    var numbers: Set<String> = []
    let chains = chains(in: text)
    func part(_ index: Int) -> String? { chains[index] ?? mark(of: text[index]) }
    var index = text.startIndex
    while index < text.endIndex {
      guard part(index) != nil else {
        index += 1
        continue
      }
      let start = index
      var words = [""]
      while index < text.endIndex {
        if let part = part(index) {
          words[words.count - 1] += part
        } else if isSpace(text[index]) {
          words.append("")
        } else {
          break
        }
        index += 1
      }
      words.removeAll(where: \.isEmpty)
      if !MoneyAmount.isOne(words, before: text[..<start], behind: text[index...]) {
        numbers.formUnion(telephoneNumbers(in: words))
      }
    }
    return numbers
  }

  /// Returns the numbers of seven digits or more in a text, with any marks between the digits.
  ///
  /// Some languages group thousands with commas, others with full stops.
  static func numbers(in text: String) -> [[Unicode.Scalar]] {
    var scalars = folded(Array(text.unicodeScalars))
    for index in scalars.indices.dropFirst().dropLast()
    where ",'’".unicodeScalars.contains(scalars[index]) && digit(scalars[index - 1]) != nil
      && digit(scalars[index + 1]) != nil
    {
      scalars[index] = "."
    }
    return telephoneNumbers(in: scalars).map { Array($0.unicodeScalars) }
  }

  /// Returns the ASCII form of a digit, or of a mark that may be between digits, or `nil` for any
  /// other scalar.
  private static func mark(of scalar: Unicode.Scalar) -> String? {
    if let digit = digit(scalar) { return String(digit) }
    switch scalar {
    case "(", ")", ".", "+", "/": return String(scalar)
    case "·", "・": return "."
    case "−", "➖": return "-"
    default: break
    }
    return switch scalar.properties.generalCategory {
    case .dashPunctuation: "-"
    case .openPunctuation, .initialPunctuation: "("
    case .closePunctuation, .finalPunctuation: ")"
    default: nil
    }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    if scalar.isASCII {
      return ("0"..."9").contains(scalar) ? Int(scalar.value) - 0x30 : nil
    }
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue
    else { return nil }
    return Int(value)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? scalar == " " : scalar.properties.generalCategory == .spaceSeparator
  }

  // MARK: Chains

  /// Returns the marks that join digits to one telephone number, by index.
  ///
  /// The result omits decimal marks, thousands separators, and the marks in times and lists.
  private static func chains(in text: [Unicode.Scalar]) -> [Int: String] {
    var chains: [Int: String] = [:]
    var index = text.startIndex
    while index < text.endIndex {
      guard digit(text[index]) != nil else {
        index += 1
        continue
      }
      var lengths = [0]
      var marks: [Int] = []
      while index < text.endIndex {
        if digit(text[index]) != nil {
          lengths[lengths.count - 1] += 1
        } else if index + 1 < text.endIndex, digit(text[index + 1]) != nil,
          links.contains(text[index]), marks.isEmpty || text[marks[0]] == text[index]
        {
          marks.append(index)
          lengths.append(0)
        } else {
          break
        }
        index += 1
      }
      guard let first = marks.first else { continue }
      let isPrefixed = lengths[0] > 1 && digit(text[first - lengths[0]]) == 0
      guard !isNumber(of: lengths, text[first], isPrefixed: isPrefixed) else { continue }
      for mark in marks { chains[mark] = "." }
    }
    return chains
  }

  private static let links = Set(",:;'’_~*|=#&•\u{20E3}".unicodeScalars)

  /// Returns a Boolean value that indicates whether groups of digits with a mark between them are a
  /// number, a time or a list.
  private static func isNumber(
    of lengths: [Int],
    _ mark: Unicode.Scalar,
    isPrefixed: Bool
  ) -> Bool {
    switch mark {
    case ":": return lengths.count <= 3 && lengths.allSatisfy { $0 <= 2 }
    case ",", "'", "’":
      if lengths.reduce(0, +) < 7 || lengths.allSatisfy({ $0 == 1 }) { return true }
      // Groups of thousands have three digits. In India, all but the last have two.
      let inner = lengths.dropFirst().dropLast()
      return !isPrefixed && lengths[0] <= 3 && lengths.last == 3
        && (inner.allSatisfy { $0 == 3 } || inner.allSatisfy { $0 == 2 })
    default: return false
    }
  }

  /// Returns the telephone numbers in a list of words.
  ///
  /// A word that is a date with a year separates two numbers.
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

  /// Returns a Boolean value that indicates whether the words on both sides of a dash are years.
  private static func isSpanOfYears(_ words: [String], at index: Int) -> Bool {
    words.indices.contains(index - 1) && words.indices.contains(index + 1)
      && Moment.isDate("\(words[index - 1])-\(words[index + 1])")
      && [words[index - 1], words[index + 1]].allSatisfy { $0.filter(\.isNumber).utf8.count == 4 }
  }
}
