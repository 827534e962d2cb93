/// A word of a sentence that a `PhraseMask` may replace.
struct MaskableWord {
  /// The word without the punctuation around it and without the `'s` of an English genitive.
  let text: Substring
  var range: Range<String.Index> { text.startIndex..<text.endIndex }
  /// A Boolean value that indicates whether only a space separates the word from the next one.
  let isJoined: Bool

  /// Returns the words between spaces. "8 pm" is one word.
  static func words(of text: String) -> [MaskableWord] {
    var words: [MaskableWord] = []
    for chunk in text.split(whereSeparator: \.isWhitespace) {
      if let last = words.last, last.isHour, ["am", "pm"].contains(stripped(chunk).lowercased()) {
        let time = text[last.text.startIndex..<stripped(chunk).endIndex]
        words[words.count - 1] = MaskableWord(text: time, isJoined: time.endIndex == chunk.endIndex)
        continue
      }
      let word = stripped(chunk)
      guard !word.isEmpty else { continue }
      words.append(MaskableWord(text: word, isJoined: word.endIndex == chunk.endIndex))
    }
    return words
  }

  private static func stripped(_ chunk: Substring) -> Substring {
    let isMark = { (character: Character) in
      !character.isLetter && !character.isNumber && !"@_%".contains(character)
    }
    if let placeholder = BracketedWord.first(in: chunk),
      chunk[..<placeholder.lowerBound].allSatisfy(isMark),
      ["", "s"].contains(chunk[placeholder.upperBound...].filter { !isMark($0) })
    {
      return chunk[placeholder]
    }
    var word = chunk.drop(while: isMark)
    while let last = word.last, isMark(last) { word.removeLast() }
    for genitive in ["'s", "’s"] where word.hasSuffix(genitive) { return word.dropLast(2) }
    return word
  }

  /// A Boolean value that indicates whether the word is a placeholder such as `[X0X]`.
  var isPlaceholder: Bool {
    BracketedWord.end(in: text, at: text.startIndex) == text.endIndex
  }

  /// A Boolean value that indicates whether the word is a handle such as `@marco`.
  var isHandle: Bool {
    text.first == "@" && text.count > 1
      && text.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || "_.".contains($0) }
  }

  var isCapitalized: Bool {
    text.first?.isUppercase == true && text.count > 1 && text.contains(where: \.isLowercase)
      && text.allSatisfy { $0.isLetter || $0 == "-" || $0 == "'" || $0 == "’" }
  }

  var isNumeric: Bool { !numberMasks.isEmpty }

  /// The masks that may replace the word. An hour may be a time or a number.
  var numberMasks: [PhraseMask] {
    if isPlaceholder { return [.time, .number, .percentage] }
    if isPercentage { return [.percentage] }
    if isHour { return [.time, .number] }
    if isTime { return [.time] }
    return isNumber ? [.number] : []
  }

  /// A Boolean value that indicates whether the word is a number such as 1.000 or 12,50.
  private var isNumber: Bool {
    text.first?.isASCIIDigit == true && text.last?.isASCIIDigit == true
      && text.allSatisfy { $0.isASCIIDigit || $0 == "." || $0 == "," }
  }

  /// A Boolean value that indicates whether the word is a percentage such as 3%.
  private var isPercentage: Bool {
    text.last == "%" && MaskableWord(text: text.dropLast(), isJoined: true).isNumber
  }

  /// A Boolean value that indicates whether the word is a number from 0 to 24.
  private var isHour: Bool {
    text.count <= 2 && text.allSatisfy(\.isASCIIDigit) && Int(text).map { $0 <= 24 } ?? false
  }

  /// A Boolean value that indicates whether the word is a time: 19:30, 19.30, 19h30, 19h, 7pm or
  /// 7:30 PM.
  private var isTime: Bool {
    var rest = text.lowercased()[...]
    for half in ["am", "pm"] where rest.hasSuffix(half) {
      rest = rest.dropLast(2)
      while rest.last == " " { rest.removeLast() }
      if MaskableWord(text: rest, isJoined: true).isHour { return true }
    }
    let parts = rest.split(omittingEmptySubsequences: false) { ":.h".contains($0) }
    guard parts.count == 2, MaskableWord(text: parts[0], isJoined: true).isHour else {
      return false
    }
    return parts[1].isEmpty && rest.hasSuffix("h")
      || parts[1].count == 2 && parts[1].allSatisfy(\.isASCIIDigit)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
