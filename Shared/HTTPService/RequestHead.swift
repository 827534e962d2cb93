/// A request without its body: what is known before that has come.
package struct RequestHead: Sendable {
  /// In capitals.
  package var method: String
  /// Path and query as they stand in the request line.
  package var target: String
  /// Names in lower case. Of several fields of one name, the first; of Accept,
  /// Access-Control-Request-Headers and Origin one list of all (RFC 9110, section 5.3).
  package var headers: [String: String] = [:]
  /// Names of fields that came more than once.
  package var repeatedHeaders: Set<String> = []
  /// Whom the client asked: the Host header, which isn't among the others. Nil where there was none.
  package var authority: String?

  package init(method: String, target: String) {
    self.method = method
    self.target = target
  }

  /// The announced length of the body, 0 without one. The parser lets in numbers alone, also
  /// those that no integer holds: of them it is the largest one.
  package var statedLength: Int { headers["content-length"].map { Int($0) ?? .max } ?? 0 }
}
