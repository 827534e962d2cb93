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
    text.lowercased().unicodeScalars
      .split { $0.properties.isWhitespace || separators.contains($0) }
      .map { token in
        var token = token
        while let last = token.last, marks.contains(last) { token.removeLast() }
        while let first = token.first, marks.contains(first) { token.removeFirst() }
        return String(String.UnicodeScalarView(token.map { dots.contains($0) ? "." : $0 }))
      }
  }

  private static let separators = Set("\"'`“”„‘’«»<>()[]{}|\\,;、，；（）「」".unicodeScalars)
  private static let marks = Set(".!?:…*_~。！？：".unicodeScalars)
  /// Other dots that a browser takes for one in a host name (RFC 3490, section 3.1).
  private static let dots: Set<Unicode.Scalar> = ["\u{3002}", "\u{FF0E}", "\u{FF61}"]

  private static func isAddress(_ token: String) -> Bool {
    if token.contains("://") || token.hasPrefix("www.") { return true }
    if schemes.contains(where: token.hasPrefix) { return true }
    // A host: labels of letters, digits and hyphens, then a name of those that are in use.
    let host = token.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let name = host.prefix { $0 != "/" && $0 != ":" && $0 != "?" && $0 != "#" }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, !labels.contains(""), let last = labels.last else { return false }
    return host.utf8.count < token.utf8.count || topLevelDomains.contains(String(last))
  }

  private static let schemes = ["mailto:", "tel:", "sms:", "javascript:", "data:", "intent:"]

  /// Those that chats are full of and abuse reports too. A word before a full stop without a space
  /// after it would be a host otherwise.
  private static let topLevelDomains = Set(
    """
    app biz cc cn co com de dev edu es eu fr gg gov gl ai br ca ch click info io ir it jp kr link
    live ly me mobi net nl no online org page pl pt pw ru sbs se shop site space store tk to top tr
    tv ua uk us vip website wiki xyz zip
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )

  /// Seven digits or more with no letter between them.
  private static func telephoneNumbers(in text: String) -> Set<String> {
    var numbers: Set<String> = []
    var digits = ""
    func finish() {
      if digits.utf8.count >= 7 { numbers.insert(digits) }
      digits = ""
    }
    for scalar in text.unicodeScalars {
      if let value = scalar.properties.numericValue, scalar.properties.numericType == .decimal {
        digits += String(Int(value))
      } else if !" -–().+/\u{A0}".unicodeScalars.contains(scalar) {
        finish()
      }
    }
    finish()
    return numbers
  }
}
