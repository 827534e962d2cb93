/// A request's line and header fields, without the body.
package struct RequestHead: Sendable {
  /// The method in upper case.
  package var method: String
  /// The path and query of the request line.
  package var target: String
  /// The header fields, with names in lower case. If a field is repeated, this has the first value.
  /// Repeated values of Accept, Access-Control-Request-Headers and Origin are combined to one list
  /// (RFC 9110, section 5.3).
  package var headers: [String: String] = [:]
  /// The names of header fields that occur more than once.
  package var repeatedHeaders: Set<String> = []
  /// The Host header, which isn't in `headers`, or `nil` if the request has none.
  package var authority: String?

  package init(method: String, target: String) {
    self.method = method
    self.target = target
  }

  /// The value of Content-Length, or 0 if there is none. A number that is too large for `Int`
  /// becomes the largest `Int`. The parser has refused values that aren't numbers.
  package var statedLength: Int { headers["content-length"].map { Int($0) ?? .max } ?? 0 }
}
