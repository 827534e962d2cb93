import Core
import NIOHTTP1

extension HTTPRequestHead {
  /// Rejects request smuggling: header sections that two servers may parse as different requests.
  ///
  /// It also trims white space around the Host. It removes header fields with more than 30
  /// combining marks in a row, because a refused request may be logged.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming what is wrong.
  ///
  /// Source: RFC 9112, sections 3.2, 5, 6.1 and 6.3. The parser checks lengths.
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

  /// The authority of a target in absolute form, or `nil` for another form.
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
  /// Source: RFC 9112, section 9.3. Persistent connections are optional in HTTP/1.0 and not
  /// supported there. After CONNECT another protocol may follow; after an offer to upgrade, the
  /// parser treats what follows as another protocol.
  var isLast: Bool {
    guard version == .http1_1, method != .CONNECT else { return true }
    let options = headers[canonicalForm: "connection"].map { $0.lowercased() }
    let offersProtocol = options.contains("upgrade") && headers.contains(name: "upgrade")
    return offersProtocol || options.contains("close")
  }
}

extension String {
  /// Returns the text without surrounding white space, which the parser leaves. Tabs after a
  /// transfer coding are not allowed.
  fileprivate func trimming(_ space: String) -> String {
    var rest = self[...]
    while let first = rest.first, space.contains(first) { rest.removeFirst() }
    while let last = rest.last, space.contains(last) { rest.removeLast() }
    return String(rest)
  }

  /// A Boolean value that indicates whether all characters are allowed in a host and port; it
  /// excludes lists, user names and paths.
  fileprivate var isAuthority: Bool {
    utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~%!$&'()*+;=:[]".utf8.contains(byte)
      }
    }
  }
}
