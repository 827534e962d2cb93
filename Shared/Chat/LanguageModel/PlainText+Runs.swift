extension PlainText {
  /// Returns the findings in the runs of a folded text.
  static func runs(in text: [Unicode.Scalar]) -> [Finding] {
    var findings: [Finding] = []
    for run in text.split(whereSeparator: isSeparator) {
      let kinds = Run(
        run,
        behind: run.startIndex > 0 ? text[run.startIndex - 1] : "\n",
        before: run.endIndex < text.endIndex ? text[run.endIndex] : "\n"
      ).kinds
      guard !kinds.isEmpty else { continue }
      let span = lowercased(trimmed(run))
      findings += kinds.map { Finding(kind: $0, span: span) }
    }
    return findings
  }

  /// Returns a Boolean value that indicates whether a scalar separates runs: it is neither part of
  /// a word nor a joint, which is a mark that may join two words.
  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isOfWord && !isJoint(scalar)
  }

  static func isJoint(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return asciiJoints.contains(scalar) }
    return switch scalar {
    case "‐", "‑", "\u{20E3}": true
    default: scalar.properties.generalCategory == .otherPunctuation && !separators.contains(scalar)
    }
  }

  private static let asciiJoints = Set(".,:;/@#_=&+~^*|\\`$%-!?".unicodeScalars)
  /// The non-ASCII punctuation that isn't a joint.
  private static let separators = Set("…‥•¡¿†‡※′″‴、。，！？；：・､｡･‼⁇⁈⁉".unicodeScalars)

  /// Returns a run without the punctuation at its ends.
  private static func trimmed(_ run: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    var run = run.drop(while: ends.contains)
    while let last = run.last, ends.contains(last) { run.removeLast() }
    return run
  }

  private static let ends = Set(".,:;!?*_~`".unicodeScalars)
}

/// A run of words, and the kinds of findings in it.
private struct Run {
  private let text: [Unicode.Scalar]
  private(set) var kinds: Set<PlainText.Kind> = []

  /// Creates a run and determines the kinds of its findings.
  ///
  /// - Parameters:
  ///   - last: the scalar before the run.
  ///   - next: the scalar after the run.
  init(
    _ run: ArraySlice<Unicode.Scalar>,
    behind last: Unicode.Scalar,
    before next: Unicode.Scalar
  ) {
    text = Array(run)
    // Some symbols are letters in a host name: № is no, and ™ is tm.
    if text.count > 1, text.last == ".", text[text.count - 2].isOfWord,
      next.properties.changesWhenNFKCCaseFolded, next.properties.generalCategory == .otherSymbol
    {
      kinds.insert(.link)
    }
    addStyles(behind: last)
    addBeginning(behind: last)
    addCodes()
    if text.contains("."), Host.hasAddress(text) { kinds.insert(.link) }
    var left: Int?
    for index in text.indices where text[index].isOfWord {
      if let left, left + 1 < index, let kind = join(left, index) { kinds.insert(kind) }
      left = index
    }
  }

  // MARK: Beginnings and marks of style

  private mutating func addBeginning(behind last: Unicode.Scalar) {
    let beginning = text.firstIndex { !Self.harmless.contains($0) }
    for index in text.indices.dropLast() where text[index + 1].isOfWord {
      let next = text[index + 1]
      let before = index > 0 ? text[index - 1] : last
      switch text[index] {
      case "@": kinds.insert(before.isOfWord ? .link : .handle)
      case "#" where isLetter(next), "$" where isLetter(next): kinds.insert(.tag)
      case "/" where index > 0 && before == "/": kinds.insert(.link)
      case "/"
      where index == 0 && isLetter(next) && last != "\"" && (!closes(last) || isEmoji(last)):
        kinds.insert(.handle)
      case "/" where index > 0 && index == beginning && isLetter(next): kinds.insert(.handle)
      // Host names may contain symbols and emoji.
      case "." where index == 0 && isLetter(next) && closes(last):
        kinds.insert(next.properties.isUppercase ? .glued : .link)
      default: break
      }
    }
  }

  /// Returns a Boolean value that indicates whether a scalar before a run counts as the end of a
  /// word.
  private func closes(_ last: Unicode.Scalar) -> Bool {
    switch last.properties.generalCategory {
    case .otherSymbol, .modifierSymbol, .mathSymbol, .currencySymbol, .closePunctuation,
      .finalPunctuation:
      true
    default: last == "'"
    }
  }

  private func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmojiPresentation || scalar == "\u{FE0F}"
  }

  private mutating func addStyles(behind last: Unicode.Scalar) {
    // A heading, a list item, or a horizontal rule.
    if text.allSatisfy({ $0 == "#" || $0 == "*" }), last == "\n" || text.count > 1 {
      kinds.insert(.style)
    }
    if last == "\n", text.count > 2, text.allSatisfy({ $0 == "-" }) { kinds.insert(.style) }
    for (index, scalar) in text.enumerated() {
      let before: Unicode.Scalar = index > 0 ? text[index - 1] : " "
      let next: Unicode.Scalar = index + 1 < text.count ? text[index + 1] : " "
      let isBesideWord = before.isOfWord || next.isOfWord
      switch scalar {
      case "`": kinds.insert(.style)
      case "_" where isBesideWord, "\\" where isBesideWord || next == "\\", "|" where isBesideWord,
        "*" where isBesideWord && !(isDigit(before) && isDigit(next)),
        "~" where next == "~" && index + 2 < text.count && text[index + 2].isOfWord:
        kinds.insert(.style)
      default: break
      }
    }
  }

  // MARK: Joints

  /// Returns the kind of finding for the joints between two parts of words, or `nil` if the joints
  /// are plain text.
  private func join(_ left: Int, _ right: Int) -> PlainText.Kind? {
    let joints = text[(left + 1)..<right]
    let telling = joints.filter { !Self.harmless.contains($0) }
    guard let joint = telling.first else { return nil }
    guard telling.count == 1 else {
      if telling.allSatisfy({ $0 == "." || $0 == "," }) { return nil }
      return telling.contains { ":/@".unicodeScalars.contains($0) } ? .link : .glued
    }
    let (one, other) = (text[left], text[right])
    let areDigits = isDigit(one) && isDigit(other)
    let isUnspaced = one.isOfUnspacedScript || other.isOfUnspacedScript
    switch joint {
    case ".": return Host.kind(of: text, left, right)
    case ",", ";": return areDigits || isUnspaced ? nil : .glued
    case ":":
      if areDigits || isUnspaced || isFace(right) || isEnding(left, right) { return nil }
      return isScheme(left, right, joints) ? .link : .glued
    case "/", "~": return nil
    case "&": return text.dropFirst(right).first { !$0.isOfWord } == ";" ? .glued : nil
    case "=", "^", "*": return areDigits ? nil : .glued
    case "·": return areDigits || isUnspaced || one == "l" && other == "l" ? nil : .glued
    case "$": return isLetter(one) && isDigit(other) ? nil : .glued
    case "\u{20E3}": return nil
    default:
      // In scripts without letter case, these marks end sentences. Beside other letters, they count
      // as joints.
      return joint.isASCII || isPlainer(one) || isPlainer(other) ? .glued : nil
    }
  }

  /// The joints that are allowed between any two words.
  private static let harmless = Set("-‐‑+%!?".unicodeScalars)

  private func isFace(_ right: Int) -> Bool {
    right + 1 == text.count && "DPp3Oo".unicodeScalars.contains(text[right])
  }

  /// Returns a Boolean value that indicates whether an abbreviation in capitals has a Finnish or
  /// Swedish ending after its colon.
  private func isEnding(_ left: Int, _ right: Int) -> Bool {
    let name = text[...left].reversed().prefix(while: \.isOfWord)
    let ending = text[right...].prefix(5).prefix(while: \.isOfWord)
    return (2...6).contains(name.count) && name.allSatisfy(\.properties.isUppercase)
      && Self.endings.contains(String(String.UnicodeScalarView(ending)))
  }

  private static let endings = Set(
    """
    n in on en an än hin han hun hon a ä ta tä ssa ssä sta stä lla llä lle lta ltä na nä ksi t ja jä ien iin s et \
    ar er ns ens ets arna erna
    """.split(separator: " ").map(String.init)
  )

  /// Returns a Boolean value that indicates whether a lower-case word before a colon is a URL
  /// scheme.
  ///
  /// A single colon between two words doesn't mark a scheme, since a space may be missing after it.
  private func isScheme(_ left: Int, _ right: Int, _ joints: ArraySlice<Unicode.Scalar>) -> Bool {
    text[left].properties.isLowercase && text[left].isASCII
      && !(joints.count == 1 && isLetter(text[right]))
  }

  private func isPlainer(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII || scalar.properties.isCased
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.numericType == .decimal
  }

  private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isOfWord && scalar.properties.numericType == nil || scalar.isOfUnspacedScript
  }

  // MARK: Codes

  private enum Class { case capital, small, digit }

  private mutating func addCodes() {
    for word in text.split(whereSeparator: { Self.letterClass($0) == nil }) {
      let classes = word.map(Self.letterClass)
      let changes = zip(classes, classes.dropFirst()).count { $0 != $1 }
      let digits = classes.count { $0 == .digit }
      let isLong = word.count > (digits > 0 ? 24 : 60) || word.count > 12 && changes > 6
      if isLong || digits >= 10 && digits < word.count { kinds.insert(.code) }
    }
    // A code may have hyphens. A compound word with hyphens changes less often between capital
    // letters, small letters and digits.
    let classes = text.compactMap(Self.letterClass)
    let changes = zip(classes, classes.dropFirst()).count { $0 != $1 }
    if classes.count > 24, changes > 12, classes.contains(.digit) { kinds.insert(.code) }
  }

  private static func letterClass(_ scalar: Unicode.Scalar) -> Class? {
    switch scalar {
    case "A"..."Z": .capital
    case "a"..."z": .small
    case "0"..."9": .digit
    default: nil
    }
  }
}
