extension ProtectedSpans {
  /// Returns the link, email address or host name that begins at an index, or `nil` if none does.
  static func address(in text: [Character], at start: Int) -> (Kind, end: Int)? {
    guard text[start].isASCII, text[start].isOfWord else { return nil }
    if let link = linkStart(in: text, at: start) {
      let end = trimmedEnd(of: text, start..<linkEnd(in: text, from: link))
      return end > link ? (.address, end) : nil
    }
    if let end = mailEnd(in: text, at: start) { return (.address, end) }
    return host(in: text, at: start)
  }

  /// Returns the end of a scheme or of `www.` at an index, or `nil` if there is neither.
  private static func linkStart(in text: [Character], at start: Int) -> Int? {
    let name = text[start...].prefix(20).prefix {
      $0.isASCII && ($0.isOfWord || "+.-".contains($0))
    }
    let rest = text[name.endIndex...]
    if rest.starts(with: "://") { return name.endIndex + 3 }
    let lowered = String(name).lowercased()
    if rest.first == ":", ["mailto", "tel", "sms", "geo"].contains(lowered) {
      return name.endIndex + 1
    }
    return lowered.hasPrefix("www.") ? start + 4 : nil
  }

  /// Returns the end of a link.
  ///
  /// A link ends before white space, a quotation mark, or punctuation of a script without spaces.
  /// It also ends before a letter of such a script, unless the letter is in a path.
  private static func linkEnd(in text: [Character], from start: Int) -> Int {
    var index = start
    while index < text.count {
      let character = text[index]
      if character.isWhitespace || character.isEmoji || ends.contains(character) { break }
      if character.isUnspaced, !text[index - 1].isUnspaced, !pathMarks.contains(text[index - 1]) {
        break
      }
      index += 1
    }
    return index
  }

  private static let ends = Set("<>\"“”«»`「」『』（）【】［］，。、！？；：")
  private static let pathMarks = Set("/=-_?&#%")
  private static let finalMarks = Set(".,!?:;'’…*_~|")
  private static let closingBrackets = Set(")]}")
  private static let closings: [Character: Character] = ["(": ")", "[": "]", "{": "}"]

  /// Returns the end of a link without trailing punctuation, and without a closing bracket whose
  /// opening bracket is before the link.
  private static func trimmedEnd(of text: [Character], _ range: Range<Int>) -> Int {
    var surplus: [Character: Int] = [:]
    for character in text[range] {
      if closingBrackets.contains(character) { surplus[character, default: 0] += 1 }
      if let closing = closings[character] { surplus[closing, default: 0] -= 1 }
    }
    var end = range.upperBound
    while end > range.lowerBound {
      let last = text[end - 1]
      if !finalMarks.contains(last) {
        guard let count = surplus[last], count > 0 else { break }
        surplus[last] = count - 1
      }
      end -= 1
    }
    return end
  }

  private static func mailEnd(in text: [Character], at start: Int) -> Int? {
    let user = text[start...].prefix(64).prefix { $0.isOfWord || "._%+-".contains($0) }
    guard user.endIndex < text.count, text[user.endIndex] == "@" else { return nil }
    let labels = labels(in: text, from: user.endIndex + 1)
    guard labels.count > 1, let last = labels.last, last.count > 1,
      last.allSatisfy(\.isLetter)
    else { return nil }
    return last.endIndex
  }

  /// Returns the host name at an index with the rest of its link, or `nil` if there is none.
  private static func host(in text: [Character], at start: Int) -> (Kind, end: Int)? {
    let labels = labels(in: text, from: start)
    guard labels.count > 1, let last = labels.last else { return nil }
    let domain = String(last).lowercased()
    let isSure = Host.domains.contains(domain)
    guard isSure || wordDomains.contains(domain) else { return nil }
    var end = last.endIndex
    if end < text.count, "/:?#".contains(text[end]) {
      end = max(end, trimmedEnd(of: text, start..<linkEnd(in: text, from: end)))
    }
    return (isSure ? .address : .hostName, end)
  }

  /// Returns the labels of a host name: letters, digits and hyphens between single dots, without a
  /// hyphen at either end.
  private static func labels(in text: [Character], from start: Int) -> [ArraySlice<Character>] {
    var labels: [ArraySlice<Character>] = []
    var index = start
    while index < text.count, labels.count < mostLabels {
      let label = text[index...].prefix(longestLabel).prefix {
        !$0.isUnspaced && ($0.isLetter || $0.isNumber || $0 == "-")
      }
      guard let first = label.first, first != "-", label.last != "-" else { break }
      labels.append(label)
      guard label.endIndex < text.count, text[label.endIndex] == "." else { break }
      index = label.endIndex + 1
    }
    return labels
  }

  private static let longestLabel = 63
  private static let mostLabels = 8

  /// The top-level domains that are also words.
  private static let wordDomains: Set<String> = ["it", "es", "de", "me", "co", "us", "in", "be"]
}
