/// A request target in absolute form: the whole URL, which clients send to proxies.
///
/// Source: RFC 9112, section 3.2.2.
struct AbsoluteTarget {
  /// The URL's scheme in lower case.
  let scheme: String
  let authority: String
  /// The target in origin form: the path and query.
  let pathAndQuery: String

  /// Creates a target by parsing a string, or returns `nil` if the string is in another form.
  init?(_ target: String) {
    guard target.utf8.first != UInt8(ascii: "/") else { return nil }
    let parts = target.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return nil }
    scheme = parts[0].dropLast().lowercased()
    let authority = parts[2].prefix { !"/?#".contains($0) }
    self.authority = String(authority)
    let rest = parts[2][authority.endIndex...]
    pathAndQuery = rest.hasPrefix("/") ? String(rest) : "/" + rest
  }
}
