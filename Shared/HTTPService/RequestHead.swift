/// A request without its body.
package struct RequestHead: Sendable {
  /// The method in capitals.
  package var method: String
  /// The path and query of the request line.
  package var target: String
  /// The header fields, names in lower case. Of several fields with one name, the first; of Accept,
  /// Access-Control-Request-Headers and Origin, one list of all (RFC 9110, section 5.3).
  package var headers: [String: String] = [:]
  /// The names of header fields that occur more than once.
  package var repeatedHeaders: Set<String> = []
  /// The Host header, which isn't in `headers`, or `nil` if there was none.
  package var authority: String?

  package init(method: String, target: String) {
    self.method = method
    self.target = target
  }

  /// The announced length of the body, or 0 without one. The parser accepts only numbers; one that
  /// exceeds `Int` is reported as the largest `Int`.
  package var statedLength: Int { headers["content-length"].map { Int($0) ?? .max } ?? 0 }
}
