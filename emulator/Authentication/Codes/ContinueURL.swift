import Core

/// A URL to which the action page leads a user, usually a page of the app.
struct ContinueURL: Sendable {
  let text: String

  /// The maximum length of a URL in UTF-8 bytes.
  private static let maximumLength = 8_192

  /// Creates a URL, or returns `nil` if the text is too long or isn't an absolute URL with a host.
  init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength,
      let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let scheme = text[..<colon].lowercased()
    let rest = text[text.utf8.index(after: colon)...]
    guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
      scheme.utf8.allSatisfy(Self.isInScheme), rest.utf8.starts(with: "//".utf8)
    else { return nil }
    let host = rest.utf8.drop { $0 == UInt8(ascii: "/") }.first
    guard let host, !"?#:".utf8.contains(host) else { return nil }
    self.text = text
  }

  private static func isInScheme(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x30...0x39: true
    default: "+-.".utf8.contains(byte)
    }
  }

  /// The URL as a header field's value: everything but visible ASCII is percent-encoded.
  var headerValue: String { PercentEncoding.encode(text) { (0x21...0x7E).contains($0) } }

  /// Returns the URL with more fields in its query.
  func adding(_ fields: [(name: String, value: String)]) -> ContinueURL {
    let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
    let separator = text[..<end].utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return ContinueURL(
      valid: String(text[..<end]) + separator + PercentEncoding.query(fields) + String(text[end...])
    )
  }

  private init(valid text: String) { self.text = text }
}
