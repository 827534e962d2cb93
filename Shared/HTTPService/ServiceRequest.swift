package import Core

/// A complete HTTP request with its path and query decoded.
package struct ServiceRequest: Sendable {
  /// The method in upper case.
  package var method: String
  /// The path's segments, percent-decoded. Empty segments, as after a trailing slash, are left out.
  package var path: [String]
  /// The query's fields in order, decoded.
  package var query: [(name: String, value: String)]
  /// The header fields, with names in lower case. If a field is repeated, this has the first value.
  package var headers: [String: String]
  /// The names of header fields that occur more than once.
  package var repeatedHeaders: Set<String> = []
  package var body: Data
  /// The body of a request for which the service's `streamsBody` returned `true`; `body` is then
  /// empty.
  package var stream: RequestBody?
  /// A Boolean value that indicates whether the client's method is HEAD. `method` is GET then.
  package var isHead = false
  /// The path and query of the request line, or an empty text if the request wasn't made from one.
  package var target = ""
  /// The Host header, which isn't in `headers`, or `nil` if the request has none.
  package var authority: String?

  package init(
    method: String,
    path: [String],
    query: [(name: String, value: String)] = [],
    headers: [String: String] = [:],
    body: Data = Data()
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Creates a request by decoding its target.
  ///
  /// - Parameter target: The path and query of the request line.
  /// - Throws: `INVALID_ARGUMENT` for invalid percent-encoding, and for more than 30 combining
  ///   marks in a row, because comparing them takes quadratic time.
  package init(
    method: String,
    target: String,
    headers: [String: String],
    body: Data
  ) throws(StatusError) {
    let parts = target.utf8.split(
      separator: UInt8(ascii: "?"),
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    var path: [String] = []
    for segment in parts[0].split(separator: UInt8(ascii: "/")) {
      path.append(try Self.decode(Substring(segment)))
    }
    var query: [(name: String, value: String)] = []
    if parts.count > 1 {
      for field in parts[1].split(separator: UInt8(ascii: "&")) {
        let pair = field.split(
          separator: UInt8(ascii: "="),
          maxSplits: 1,
          omittingEmptySubsequences: false
        )
        let value = pair.count > 1 ? pair[1] : ""[...].utf8
        query.append(
          (try Self.decode(pair[0].plusAsSpace), try Self.decode(value.plusAsSpace))
        )
      }
    }
    guard !path.contains(where: \.hasLongRunOfCombiningMarks),
      !query.contains(where: {
        $0.name.hasLongRunOfCombiningMarks || $0.value.hasLongRunOfCombiningMarks
      })
    else {
      throw StatusError(
        .invalidArgument,
        "the request's target has more than 30 combining marks in a row"
      )
    }
    self.init(method: method, path: path, query: query, headers: headers, body: body)
    self.target = target
  }

  /// Creates a request from its head and body. The method HEAD becomes GET, because the server
  /// leaves out the response's body itself.
  ///
  /// - Throws: `INVALID_ARGUMENT` for an invalid target.
  package init(_ head: RequestHead, body: Data) throws(StatusError) {
    try self.init(
      method: head.method == "HEAD" ? "GET" : head.method,
      target: head.target,
      headers: head.headers,
      body: body
    )
    repeatedHeaders = head.repeatedHeaders
    isHead = head.method == "HEAD"
    authority = head.authority
  }

  /// The first value of a query field, or `nil` if the query doesn't have it.
  package subscript(query name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  /// The token in the header `Authorization: Bearer …`, or `nil` if there is none.
  package var bearerToken: String? { headers["authorization"]?.bearerToken }

  /// Checks that header fields occur at most once. Servers may differ in which value of a repeated
  /// field they use.
  ///
  /// - Throws: `INVALID_ARGUMENT` if one of the fields is repeated.
  package func refuseRepeated(_ names: String...) throws(StatusError) {
    guard let name = names.first(where: repeatedHeaders.contains) else { return }
    throw StatusError(.invalidArgument, "the header \(quoted(name)) appears twice")
  }

  /// Refuses a request that comes from a web page, even from an allowed origin. Use it for
  /// resources that pages must not access, such as files.
  ///
  /// - Parameter subject: A plural noun for the requested resources, with which the error's message
  ///   begins.
  /// - Throws: `PERMISSION_DENIED` if the request has an Origin header.
  package func refuseOrigin(for subject: String) throws(StatusError) {
    guard headers["origin"] == nil else {
      throw StatusError(.permissionDenied, "\(subject) are not available to web pages")
    }
  }

  /// Returns the fields of a body in the format `application/x-www-form-urlencoded`. If a field is
  /// repeated, the first value counts.
  package func form() throws(StatusError) -> [String: String] { try Self.form(body) }

  /// Returns the fields of a text in the format `application/x-www-form-urlencoded`.
  package static func form(_ text: Data) throws(StatusError) -> [String: String] {
    let request = try ServiceRequest(
      method: "POST",
      target: "/?" + String(decoding: text, as: UTF8.self),
      headers: [:],
      body: Data()
    )
    return Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// Decodes the JSON body.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the body doesn't fit the type, or has more than 30 combining
  ///   marks in a row.
  package func json<Value: Decodable>(
    _ type: Value.Type,
    what: String = "the request's body"
  ) throws(StatusError) -> Value {
    let json = try JSON.parse(body, what: what)
    guard !json.hasLongRunOfCombiningMarks else {
      throw StatusError(.invalidArgument, "\(what) has more than 30 combining marks in a row")
    }
    return try JSON.decode(type, from: json, what: what)
  }

  /// A copy of the request whose JSON body has at most 30 combining marks in a row. Any other body
  /// is unchanged.
  package var limitingCombiningMarks: ServiceRequest {
    // A body without these bytes has no combining mark, neither literal nor as a \u escape.
    guard body.contains(where: { $0 >= 0xCC || $0 == UInt8(ascii: "\\") }),
      let json = try? JSONValue(parsing: body), json.hasLongRunOfCombiningMarks,
      let limited = try? JSON.encode(json.limitingCombiningMarks)
    else { return self }
    var request = self
    request.body = limited
    return request
  }

  /// Decodes percent-encoding.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a `%` that isn't followed by two hexadecimal digits, and for
  ///   bytes that aren't UTF-8.
  package static func decode(_ text: some StringProtocol) throws(StatusError) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { throw StatusError(.invalidArgument, "the URL's percent-encoding is invalid") }
      bytes.append(value)
      rest.removeFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw StatusError(.invalidArgument, "the URL is not UTF-8")
    }
    return decoded
  }
}

extension Substring.UTF8View {
  fileprivate var plusAsSpace: String {
    String(decoding: map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
  }
}

extension String {
  /// The media type in a Content-Type header, in lower case and without parameters.
  package var mediaType: String {
    let type = utf8.prefix { $0 != UInt8(ascii: ";") }
      .filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return String(decoding: type, as: UTF8.self).lowercased()
  }
}
