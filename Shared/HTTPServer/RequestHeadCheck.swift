import Core
import NIOHTTP1

extension HTTPRequestHead {
  /// Takes away the white space around the Host, and whatever has more than 30 combining marks in a row:
  /// who logs the refused request reads it, too.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming what is wrong, for a head of which two servers may make
  ///   different requests.
  ///
  /// Source: RFC 9112, sections 3.2, 5, 6.1 and 6.3. Lengths are the parser's to check.
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
      throw StatusError(.invalidArgument, "HTTP/1.0 has no Transfer-Encoding")
    }
    guard codings.isEmpty || codings.map({ $0.lowercased() }) == ["chunked"] else {
      throw StatusError(.invalidArgument, "the Transfer-Encoding is not chunked alone")
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
      throw StatusError(.invalidArgument, "the Host is no name or address")
    }
    guard let host = hosts.first else { return }
    if hosts != given { headers.replaceOrAdd(name: "host", value: host) }
    guard let authority = try targetAuthority else { return }
    guard host.lowercased() == authority.lowercased() else {
      throw StatusError(.invalidArgument, "the Host is not the one in the request's target")
    }
  }

  /// Whom a target in absolute form names; nil in any other form.
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

  /// Whether the connection ends with the answer to this request.
  ///
  /// Source: RFC 9112, section 9.3. HTTP/1.0 could ask to go on; that may be declined. What comes
  /// after CONNECT may be another protocol, and the parser takes what comes after an offer to change
  /// it for that.
  var isLast: Bool {
    guard version == .http1_1, method != .CONNECT else { return true }
    let options = headers[canonicalForm: "connection"].map { $0.lowercased() }
    let offersProtocol = options.contains("upgrade") && headers.contains(name: "upgrade")
    return offersProtocol || options.contains("close")
  }
}

extension String {
  /// Without the white space around it, which the parser leaves. After a coding it takes no tabs.
  fileprivate func trimming(_ space: String) -> String {
    var rest = self[...]
    while let first = rest.first, space.contains(first) { rest.removeFirst() }
    while let last = rest.last, space.contains(last) { rest.removeLast() }
    return String(rest)
  }

  /// Whether it is made of what hosts and ports are made of: no list, no user, no path.
  fileprivate var isAuthority: Bool {
    utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-._~%!$&'()*+;=:[]".utf8.contains(byte)
      }
    }
  }
}
