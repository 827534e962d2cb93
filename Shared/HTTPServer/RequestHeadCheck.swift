import Core
import NIOHTTP1

extension HTTPRequestHead {
  /// Rejects request smuggling: header sections that two servers may parse as different requests.
  ///
  /// Also removes white space around the Host. If a request is refused for more than 30 combining
  /// marks in a row, the header fields that have them are removed, because refused requests may be
  /// logged.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the invalid part.
  ///
  /// Source: RFC 9112, sections 3.2, 5, 6.1 and 6.3. The parser has checked the lengths.
  mutating func checkFraming() throws(StatusError) {
    guard [.http1_0, .http1_1].contains(version) else {
      throw StatusError(.invalidArgument, "the version of HTTP is neither 1.0 nor 1.1")
    }
    guard !uri.hasLongRunOfCombiningMarks,
      !headers.contains(where: { $0.value.hasLongRunOfCombiningMarks })
    else {
      let plain = headers.filter { !$0.value.hasLongRunOfCombiningMarks }
      headers = HTTPHeaders(plain.map { ($0.name, $0.value) })
      if uri.hasLongRunOfCombiningMarks { uri = "/" }
      throw StatusError(
        .invalidArgument,
        "a header or the target has more than 30 combining marks in a row"
      )
    }
    let codings = headers["transfer-encoding"].map { $0.trimming(" ") }
    guard codings.isEmpty || version == .http1_1 else {
      throw StatusError(.invalidArgument, "HTTP/1.0 doesn't allow Transfer-Encoding")
    }
    guard codings.isEmpty || codings.map({ $0.lowercased() }) == ["chunked"] else {
      throw StatusError(
        .invalidArgument,
        "the Transfer-Encoding is not chunked: no other coding is supported"
      )
    }
    let given = headers["host"]
    let hosts = given.map { $0.trimming(" \t") }
    guard hosts.count <= 1 else {
      throw StatusError(.invalidArgument, "the request has more than one Host")
    }
    guard version == .http1_0 || !hosts.isEmpty else {
      throw StatusError(.invalidArgument, "the request has no Host")
    }
    guard hosts.allSatisfy(\.isAuthority) else {
      throw StatusError(.invalidArgument, "the Host is neither a name nor an address")
    }
    guard let host = hosts.first else { return }
    if hosts != given { headers.replaceOrAdd(name: "host", value: host) }
    guard let authority = try targetAuthority else { return }
    guard host.lowercased() == authority.lowercased() else {
      throw StatusError(
        .invalidArgument,
        "the Host differs from the host in the request's target"
      )
    }
  }

  /// The authority of a target in absolute form, or `nil` if the target is in another form.
  private var targetAuthority: String? {
    get throws(StatusError) {
      guard !uri.hasPrefix("/"), method != .CONNECT, uri != "*" || method != .OPTIONS else {
        return nil
      }
      guard let target = AbsoluteTarget(uri), ["http", "https"].contains(target.scheme) else {
        throw StatusError(.invalidArgument, "the request's target is neither a path nor a URL")
      }
      guard !target.authority.isEmpty, target.authority.isAuthority else {
        throw StatusError(.invalidArgument, "the request's target names no host")
      }
      return target.authority
    }
  }

  /// A Boolean value that indicates whether the connection closes after the response to this
  /// request.
  ///
  /// Source: RFC 9112, section 9.3. In HTTP/1.0 persistent connections are optional, and this
  /// server doesn't support them. After CONNECT another protocol may follow. After an offer to
  /// upgrade, the parser treats the following bytes as another protocol.
  var isLast: Bool {
    guard version == .http1_1, method != .CONNECT else { return true }
    let options = headers[canonicalForm: "connection"].map { $0.lowercased() }
    let offersProtocol = options.contains("upgrade") && headers.contains(name: "upgrade")
    return offersProtocol || options.contains("close")
  }
}

extension String {
  /// Returns the text without the given characters at its start and end. The parser doesn't remove
  /// white space. For a transfer coding don't pass a tab, which isn't allowed there.
  fileprivate func trimming(_ space: String) -> String {
    var rest = self[...]
    while let first = rest.first, space.contains(first) { rest.removeFirst() }
    while let last = rest.last, space.contains(last) { rest.removeLast() }
    return String(rest)
  }

  /// A Boolean value that indicates whether all characters are allowed in a host and port. A list
  /// of hosts, a user name or a path has other characters.
  fileprivate var isAuthority: Bool {
    utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~%!$&'()*+;=:[]".utf8.contains(byte)
      }
    }
  }
}
