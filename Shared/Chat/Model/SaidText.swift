/// The findings in texts of people, which a model may repeat though they aren't plain text.
///
/// It is made of members' texts alone: what a model has said before, or a translator, passes no
/// more easily the second time. Both sides are folded alike, so that neither a full-width form nor a
/// comma becomes the full stop of a host.
struct SaidText: Sendable {
  private let findings: Set<PlainText.Finding>
  /// The addresses as people say them, and what only looks like one.
  private let addresses: Set<[Unicode.Scalar]>
  /// The last digits of the numbers.
  private let endings: Set<[Unicode.Scalar]>
  private let kinds: Set<PlainText.Kind>

  /// - Parameter kinds: those that may be repeated.
  init(_ texts: [String], kinds: Set<PlainText.Kind>) {
    var findings: [PlainText.Finding] = []
    var numbers: [[Unicode.Scalar]] = []
    for text in texts {
      findings += PlainText.findings(in: text)
      // An amount in one language may be another number in the next.
      numbers += PlainText.numbers(in: text)
    }
    self.kinds = kinds
    self.findings = Set(findings)
    addresses = Set(
      findings.filter { $0.kind == .link || $0.kind == .glued }.map { Self.plain($0.span) }
    )
    numbers += findings.filter { $0.kind == .number }.map(\.span)
    endings = Set(numbers.map { Array($0.suffix(Self.endingLength)) })
  }

  /// Returns a Boolean value that indicates whether people have written the same.
  ///
  /// A number is the same by its last digits: a country's
  /// prefix, or a time behind it, may be there or not. An address is without its scheme, and without
  /// its path.
  func contains(_ finding: PlainText.Finding) -> Bool {
    guard kinds.contains(finding.kind) else { return false }
    if findings.contains(finding) { return true }
    switch finding.kind {
    case .number:
      let span = finding.span
      return span.indices.contains { start in
        endings.contains(Array(span[start...].prefix(Self.endingLength)))
      }
    case .link, .glued:
      let address = Self.plain(finding.span)
      let page = address + ["/"]
      return addresses.contains(address) || addresses.contains { $0.starts(with: page) }
    default: return false
    }
  }

  private static let endingLength = 7

  private static func plain(_ link: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var plain = link[...]
    for prefix in ["https://", "http://", "www."] where plain.starts(with: prefix.unicodeScalars) {
      plain = plain.dropFirst(prefix.unicodeScalars.count)
    }
    while plain.last == "/" { plain.removeLast() }
    return Array(plain)
  }
}
