/// A request's target in absolute form: clients of proxies send the whole URL.
///
/// Source: RFC 9112, section 3.2.2.
struct AbsoluteTarget {
  /// In lower case.
  let scheme: String
  let authority: String
  /// The same target in origin form.
  let pathAndQuery: String

  /// - Returns: nil for a target in another form.
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
