extension Links {
  /// Links that may be repeated.
  package struct Known: Sendable {
    private let links: Set<String>
    /// How the numbers end.
    private let endings: Set<Substring>

    /// - Parameter text: what may be repeated of it.
    package init(in text: String) {
      // Some languages part thousands by commas where others have full stops.
      let found = Links.found(in: text)
        .union(text.contains(",") ? Links.found(in: text.replacing(",", with: ".")) : [])
      links = found.union(found.map(Self.plain))
      endings = Set(found.filter(Self.isNumber).map { $0.suffix(Self.endingLength) })
    }

    /// Whether all of these are known. A number is by its last digits: a country's prefix, or a time
    /// behind it, may be there or not. An address is without its scheme, and without its path.
    package func contains(_ others: Set<String>) -> Bool {
      others.allSatisfy { other in
        if links.contains(other) || links.contains(Self.plain(other)) { return true }
        if Self.isNumber(other) { return endings.contains { other.contains($0) } }
        let page = Self.plain(other) + "/"
        return links.contains { $0.hasPrefix(page) }
      }
    }

    private static let endingLength = 7

    private static func isNumber(_ link: String) -> Bool {
      link.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// An address as people say it.
    private static func plain(_ link: String) -> String {
      var plain = link[...]
      for prefix in ["https://", "http://", "www."] where plain.hasPrefix(prefix) {
        plain = plain.dropFirst(prefix.count)
      }
      while plain.last == "/" { plain.removeLast() }
      return String(plain)
    }
  }
}
