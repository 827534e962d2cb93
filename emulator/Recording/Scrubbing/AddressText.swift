/// E-mail addresses and links in a text, which lead to `example.com` once they are replaced.
enum AddressText {
  private static let host = "example.com"

  /// A text with other addresses; everything else is left to `replace`.
  static func replacing(_ text: String, _ replace: (String) -> String) -> String {
    var result = ""
    var plain = ""
    func end() {
      result += replace(plain)
      plain = ""
    }
    for chunk in text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace) {
      if let address = address(in: chunk, replace) {
        end()
        result += address
      } else {
        plain += chunk
      }
      if chunk.endIndex < text.endIndex { plain.append(text[chunk.endIndex]) }
    }
    end()
    return result
  }

  /// - Parameter chunk: what stands between two spaces.
  /// - Returns: nil if it is no address.
  private static func address(in chunk: Substring, _ replace: (String) -> String) -> String? {
    if let scheme = chunk.firstRange(of: "://"), scheme.lowerBound > chunk.startIndex {
      let rest = chunk[scheme.upperBound...]
      let end = rest.firstIndex { "/?#)]>\"'".contains($0) } ?? rest.endIndex
      let path = replace(String(rest[end...]))
      return "\(replace(String(chunk.leading)))\(chunk[chunk.leading.endIndex..<scheme.upperBound])"
        + host + path
    }
    guard let at = chunk.firstIndex(of: "@"), at > chunk.startIndex,
      chunk[at...].dropFirst().contains(".")
    else { return nil }
    let domain = chunk[at...].dropFirst()
    let end = domain.firstIndex { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "-" }
    let rest = domain[(end ?? domain.endIndex)...]
    return "\(replace(String(chunk[..<at])))@\(host)\(replace(String(rest)))"
  }
}

extension Substring {
  /// What stands before a link's scheme, such as a bracket.
  fileprivate var leading: Substring { prefix { !$0.isLetter } }
}
