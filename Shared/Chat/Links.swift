/// What a text would make a reader open, write to or call: a model must not bring up any that
/// wasn't in its input.
package enum Links {
  /// Addresses of pages and of mail, and telephone numbers, each in the form in which two are
  /// compared: lower case, telephone numbers as digits.
  package static func found(in text: String) -> Set<String> {
    var links: Set<String> = []
    for token in tokens(of: text) where isAddress(token) { links.insert(token) }
    return links.union(telephoneNumbers(in: text))
  }

  /// Runs between white space, quotes, brackets and commas, without marks at their ends.
  private static func tokens(of text: String) -> [String] {
    String(String.UnicodeScalarView(text.unicodeScalars.map(plain))).lowercased().unicodeScalars
      .split { $0.properties.isWhitespace || separators.contains($0) }
      .map { token in
        var token = token
        while let last = token.last, marks.contains(last) { token.removeLast() }
        while let first = token.first, marks.contains(first) { token.removeFirst() }
        return String(token)
      }
  }

  /// What a browser takes a scalar for (UTS #46): for a full-width form of ASCII the plain one, and
  /// for other dots the one of host names.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if (0xFF01...0xFF5E).contains(scalar.value) {
      return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }
    return dots.contains(scalar) ? "." : scalar
  }

  private static let separators = Set("\"'`“”„‘’«»<>()[]{}|\\—,;、「」".unicodeScalars)
  private static let marks = Set(".!?:…*_~".unicodeScalars)
  private static let dots: Set<Unicode.Scalar> = ["\u{2024}", "\u{3002}", "\u{FF61}"]

  private static func isAddress(_ token: String) -> Bool {
    if token.contains("://") || schemes.contains(where: token.hasPrefix) { return true }
    // Whatever can't be in a host ends it, such as the colon of `see:example.com`.
    let runs = token.unicodeScalars.split { !isOfHost($0) && $0 != "@" }
      .map { String(String.UnicodeScalarView($0)) }
    return runs.contains { run in
      let parts = run.split(separator: "@", omittingEmptySubsequences: false)
      return parts.contains(where: isHost) || parts.dropFirst().contains(where: isMailHost)
    }
  }

  private static func isOfHost(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == "-" || scalar == "\u{200C}" || scalar == "\u{200D}"
      || scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      || scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// Labels, then a name of those that are in use. Two dots in a row end it, and so does a word
  /// that no space would part from it.
  private static func isHost(_ text: Substring) -> Bool {
    text.hasPrefix("www.")
      || names(in: text).contains { labels in
        let last = (labels.last ?? "").unicodeScalars.prefix { !$0.isOfUnspacedScript }
        return topLevelDomains.contains(String(last))
      }
  }

  /// Behind an at sign any name will do that isn't a number.
  private static func isMailHost(_ text: Substring) -> Bool {
    names(in: text).contains { $0.last?.contains(where: \.isLetter) == true }
  }

  /// What may be a host by its form: the labels of each.
  private static func names(in text: Substring) -> [ArraySlice<Substring>] {
    text.split(separator: ".", omittingEmptySubsequences: false).split(separator: "")
      .filter { $0.count > 1 }
  }

  private static let schemes = ["mailto:", "tel:", "sms:", "javascript:", "data:", "intent:"]

  /// Those that chats are full of and abuse reports too. A word before a full stop without a space
  /// after it would be a host otherwise.
  private static let topLevelDomains = Set(
    """
    app biz cc cfd click club cn co com cyou de dev edu es eu fr fun gg gov gl ai br ca ch icu info
    io ir it jp kr link live lol ly me mobi monster net nl no online org page pl pro pt pw quest rest
    ru sbs se shop site space store su tech tk to top tr tv ua uk us vip website wiki win xyz zip
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )

  /// Seven digits or more with no letter between them, dates and spans of years aside.
  private static func telephoneNumbers(in text: String) -> Set<String> {
    var numbers: Set<String> = []
    var digits = ""
    var word = ""
    func finish() {
      if digits.utf8.count >= 7 { numbers.insert(digits) }
      digits = ""
    }
    func finishWord() {
      if isDate(word) { finish() } else { digits += word.filter(\.isNumber) }
      word = ""
    }
    for scalar in text.unicodeScalars {
      if let value = scalar.properties.numericValue, scalar.properties.numericType == .decimal {
        word += String(Int(value))
      } else if "-–().+/".unicodeScalars.contains(scalar) {
        word.unicodeScalars.append(scalar)
      } else {
        finishWord()
        if scalar != " ", scalar != "\u{A0}" { finish() }
      }
    }
    finishWord()
    finish()
    return numbers
  }

  /// Whether a word is a date with all of its year, in any order of day and month, or two years.
  private static func isDate(_ word: String) -> Bool {
    let parts = word.split { "-–()./".contains($0) }
    let numbers = parts.compactMap { Int($0) }
    func isYear(_ index: Int) -> Bool {
      parts[index].utf8.count == 4 && (1000...2199).contains(numbers[index])
    }
    func isDay(_ one: Int, _ other: Int) -> Bool {
      max(parts[one].utf8.count, parts[other].utf8.count) <= 2
        && (1...12).contains(min(numbers[one], numbers[other]))
        && (1...31).contains(max(numbers[one], numbers[other]))
    }
    guard numbers.count == parts.count, !word.contains("+") else { return false }
    return switch numbers.count {
    case 2: isYear(0) && isYear(1) && numbers[0] < numbers[1]
    case 3: (isYear(2) && isDay(0, 1)) || (isYear(0) && isDay(1, 2))
    default: false
    }
  }
}
