/// The findings in users' texts, which a model may repeat although they aren't plain text.
///
/// Only members' texts count. Text that a model or a translator wrote earlier gets no exemption.
/// Users' texts and the model's text are folded in the same way, so that neither a full-width form
/// nor a comma can become the full stop of a host name.
struct SaidText: Sendable {
  private let findings: Set<PlainText.Finding>
  /// The addresses without scheme, and the text that only looks like an address.
  private let addresses: Set<[Unicode.Scalar]>
  /// The last digits of each number.
  private let endings: Set<[Unicode.Scalar]>
  private let kinds: Set<PlainText.Kind>

  /// Creates the findings in users' texts.
  ///
  /// - Parameter kinds: the kinds of findings that may be repeated.
  init(_ texts: [String], kinds: Set<PlainText.Kind>) {
    var findings: [PlainText.Finding] = []
    var numbers: [[Unicode.Scalar]] = []
    for text in texts {
      findings += PlainText.findings(in: text)
      // Another language may group the digits of an amount in another way.
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

  /// Returns a Boolean value that indicates whether users have written the same as a finding.
  ///
  /// A number counts if it contains the last seven digits of a user's number. Other digits, such as
  /// a country's prefix or a time, may be beside them. Addresses are compared without scheme, and a
  /// model may leave out the path.
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
