extension ProtectedSpans {
  /// Returns the end of a number with its sign, currency, unit and letters, or `nil` if none begins
  /// at the index.
  ///
  /// Examples: `-3.5 °C`, `€ 1,000.50`, `10:30 am`, `+39 (02) 123-456`, `2nd`, `B2B`, `v1.2`.
  static func numberEnd(in text: [Character], at start: Int) -> Int? {
    let first = text[start]
    if start > 0, first.isDigit || first.isGlued, text[start - 1].isDigit || text[start - 1].isGlued
    {
      return nil
    }
    var index = start
    if signs.contains(first), start == 0 || !text[start - 1].isOfWord || text[start - 1].isUnspaced
    {
      index += 1
    }
    index = currencyEnd(in: text, at: index)
    if isAreaCode(text, at: index) { index += 1 }
    guard index < text.count, text[index].isDigit || isMixed(text, at: start) else { return nil }
    while true {
      while index < text.count, text[index].isDigit || text[index].isGlued { index += 1 }
      guard let next = digits(behindMarkIn: text, at: index) else { break }
      index = next
    }
    return unitEnd(in: text, at: index)
  }

  /// Returns the index after a number's currency or number sign, such as `€`, `US$ `, `№ `, `#`.
  private static func currencyEnd(in text: [Character], at start: Int) -> Int {
    let letters = text[start...].prefix(3).prefix { $0.isASCII && $0.isUppercase }
    var index = letters.endIndex
    guard index < text.count,
      text[index].isCurrency || letters.isEmpty && numerals.contains(text[index])
    else { return start }
    index += 1
    if index + 1 < text.count, text[index].isThinSpace, text[index + 1].isDigit { index += 1 }
    return index
  }

  private static let signs = Set("+-−±~≈")
  private static let numerals = Set("#＃№")
  private static let marks = Set(".,:/-–'’·×)")

  /// Returns a Boolean value that indicates whether a word begins with letters and contains a
  /// digit.
  private static func isMixed(_ text: [Character], at start: Int) -> Bool {
    text[start].isGlued
      && text[start...].prefix { $0.isGlued || $0.isDigit }.contains(where: \.isDigit)
  }

  /// Returns a Boolean value that indicates whether digits in round brackets begin at an index and
  /// more digits follow them.
  private static func isAreaCode(_ text: [Character], at start: Int) -> Bool {
    guard start < text.count, text[start] == "(" else { return false }
    let code = text[(start + 1)...].prefix(while: \.isDigit)
    guard !code.isEmpty, code.endIndex < text.count, text[code.endIndex] == ")" else {
      return false
    }
    return digits(behindMarkIn: text, at: code.endIndex) != nil
  }

  /// Returns the index of the digits after one or two marks, or `nil` if no digits follow.
  ///
  /// One of two marks is a bracket, and the other is a space or a hyphen.
  private static func digits(behindMarkIn text: [Character], at index: Int) -> Int? {
    func isDigit(_ index: Int) -> Bool { index < text.count && text[index].isDigit }
    guard index < text.count else { return nil }
    let mark = text[index]
    if marks.contains(mark) || mark.isThinSpace, isDigit(index + 1) { return index + 1 }
    guard isDigit(index + 2) else { return nil }
    let pair = [mark.isThinSpace ? " " : mark, text[index + 1].isThinSpace ? " " : text[index + 1]]
    return bracketMarks.contains(pair) ? index + 2 : nil
  }

  private static let bracketMarks: Set<[Character]> = [
    [" ", "("], [")", " "], [")", "-"], ["-", "("],
  ]

  /// Returns the end of the unit after a number, or the number's end if there is no unit. A space
  /// may precede the unit.
  private static func unitEnd(in text: [Character], at end: Int) -> Int {
    for start in [end, end + 1] where start < text.count {
      if start > end, !text[end].isThinSpace { break }
      if text[start].isCurrency || "%‰٪％℃℉".contains(text[start]) { return start + 1 }
      let unit = text[start...].prefix(6).prefix { $0.isLetter || "°/.²³".contains($0) }
      // The longest unit wins; a sentence's full stop may follow it.
      for length in stride(from: unit.count, to: 0, by: -1) {
        let behind = start + length
        let isWhole =
          behind == text.count || !(text[behind].isOfWord || "'’".contains(text[behind]))
        if isWhole, units.contains(String(unit.prefix(length)).lowercased()) { return behind }
      }
    }
    return end
  }

  private static let units: Set<String> = [
    "km", "m", "cm", "mm", "ft", "km/h", "/h", "m/s", "/s", "mph", "kg", "g", "mg", "lb", "lbs",
    "ml", "cl", "m²", "km²", "m³", "°", "°c", "°f", "kb", "mb", "gb", "tb", "kw", "kwh", "h", "min",
    "pm", "a.m.", "p.m.", "usd", "eur", "gbp", "chf", "jpy", "cny", "inr", "brl", "rub",
  ]
}

extension Character {
  /// A Boolean value that indicates whether the character is a Latin, Greek or Cyrillic letter.
  /// These alphabets join letters and digits in units and names.
  fileprivate var isGlued: Bool {
    isLetter && unicodeScalars.first.map { $0.value < 0x0530 } == true
  }

  fileprivate var isCurrency: Bool {
    unicodeScalars.first?.properties.generalCategory == .currencySymbol
  }

  /// A Boolean value that indicates whether the character is a space that can occur inside a
  /// number.
  fileprivate var isThinSpace: Bool {
    self == " " || self == "\u{A0}" || self == "\u{202F}" || self == "\u{2009}"
  }
}
