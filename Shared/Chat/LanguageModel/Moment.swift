/// The recognizer of dates and times in ASCII digits and marks.
enum Moment {
  private static func parts(_ word: some StringProtocol) -> (texts: [String], numbers: [Int]) {
    let texts = word.split(whereSeparator: { "-()./".contains($0) }).map { String($0) }
    return (texts, texts.compactMap { Int($0) })
  }

  /// Returns a Boolean value that indicates whether a word is a date with a four-digit year, or a
  /// span of two years.
  ///
  /// Day and month may be in any order.
  static func isDate(_ word: String) -> Bool {
    let (texts, numbers) = parts(word)
    guard numbers.count == texts.count, !word.contains("+") else { return false }
    return switch numbers.count {
    case 2: isYear(texts[0]) && isYear(texts[1]) && numbers[0] < numbers[1]
    case 3:
      isYear(texts[2]) && isDay(texts[0], texts[1])
        || isYear(texts[0]) && isDay(texts[1], texts[2])
    default: false
    }
  }

  private static func isYear(_ text: String) -> Bool {
    text.utf8.count == 4 && Int(text).map { (1000...2199).contains($0) } == true
  }

  private static func isDay(_ one: String, _ other: String) -> Bool {
    guard max(one.utf8.count, other.utf8.count) <= 2, let one = Int(one), let other = Int(other)
    else { return false }
    return (1...12).contains(min(one, other)) && (1...31).contains(max(one, other))
  }

  /// Returns a Boolean value that indicates whether the words with digits are dates and times.
  ///
  /// At most four words may have digits. If several have digits, one of them may be a small number
  /// instead.
  static func areTimes(_ words: [String]) -> Bool {
    let words = words.filter { $0.contains(where: \.isNumber) }
    guard words.count <= 4, !words.contains(where: { $0.contains("+") }) else { return false }
    let others = words.filter { !isTime($0) }
    return others.isEmpty || words.count > 1 && others.count == 1 && isSmall(others[0])
  }

  /// Returns a Boolean value that indicates whether a word is a time, a date with a two-digit year
  /// or without a year, or a span of times or dates.
  private static func isTime(_ word: String) -> Bool {
    let (texts, _) = parts(word)
    if texts.count == 3, texts[2].utf8.count == 2, isDay(texts[0], texts[1]) { return true }
    let ends = word.split(separator: "-").map { parts($0).texts }.filter { !$0.isEmpty }
    guard (1...2).contains(ends.count), ends.contains(where: { $0.count > 1 }) else { return false }
    return ends.allSatisfy { end in
      switch end.count {
      case 1: isDay(end[0], "1")
      case 2: isDay(end[0], end[1]) || isClock(end[0], end[1])
      case 3: (end[2].utf8.count == 2 || isYear(end[2])) && isDay(end[0], end[1])
      default: false
      }
    }
  }

  private static func isClock(_ hour: String, _ minute: String) -> Bool {
    guard hour.utf8.count <= 2, minute.utf8.count == 2, let hour = Int(hour),
      let minute = Int(minute)
    else { return false }
    return hour <= 24 && minute < 60
  }

  private static func isSmall(_ word: String) -> Bool {
    let (texts, _) = parts(word)
    return texts.count <= 2 && texts.allSatisfy { $0.utf8.count <= 2 }
  }
}
