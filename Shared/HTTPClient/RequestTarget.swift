import CLibcurl
import Core

/// A request's URL, checked by libcurl's parser, which is also used for connecting.
struct RequestTarget: Sendable, CustomStringConvertible {
  /// The method and the URL, for messages. The URL's query is left out, because it may contain
  /// keys.
  let description: String
  /// A Boolean value that indicates whether the scheme is https.
  let isEncrypted: Bool
  /// A Boolean value that indicates whether the host is `localhost` or a loopback address. No name
  /// is looked up.
  let isLoopback: Bool

  /// Creates a target by checking a request's URL, without network access.
  ///
  /// - Throws: FAILED_PRECONDITION, marked as a configuration error, if the URL isn't an absolute
  ///   http or https URL, contains a user name, or uses http to another machine although
  ///   `allowsPlaintext` is `false`.
  init(_ request: HTTPRequest) throws(StatusError) {
    let method = request.method
    guard let parser = curl_url() else {
      throw StatusError(.internal, "\(method): libcurl is out of memory")
    }
    defer { curl_url_cleanup(parser) }
    let flags = UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
    let outcome = curl_url_set(parser, CURLUPART_URL, request.url, flags)
    if outcome == CURLUE_USER_NOT_ALLOWED {
      throw .configuration(.failedPrecondition, "\(method): the URL must not name a user")
    }
    guard outcome == CURLUE_OK, !request.url.utf8.contains(0),
      let scheme = Self.part(CURLUPART_SCHEME, of: parser),
      let host = Self.part(CURLUPART_HOST, of: parser),
      scheme == "http" || scheme == "https"
    else {
      throw .configuration(
        .failedPrecondition,
        "\(method): the URL isn't a valid http or https URL"
      )
    }
    let port = Self.part(CURLUPART_PORT, of: parser).map { ":\($0)" } ?? ""
    let path = Self.part(CURLUPART_PATH, of: parser) ?? "/"
    description = "\(method) \(scheme)://\(host)\(port)\(path)"
    isEncrypted = scheme == "https"
    isLoopback = Self.isLoopback(host)
    guard isEncrypted || isLoopback || request.allowsPlaintext else {
      throw .configuration(
        .failedPrecondition,
        "\(description): refused, http would leak keys on the way; use https"
      )
    }
  }

  private static func part(_ part: CURLUPart, of parser: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parser, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  /// Returns whether a host is localhost, a name under it (RFC 6761, section 6.3), or a loopback
  /// address.
  private static func isLoopback(_ host: String) -> Bool {
    let host = host.lowercased()
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    var address = in_addr()
    if inet_pton(AF_INET, host, &address) == 1 {
      return UInt32(bigEndian: address.s_addr) >> 24 == 127
    }
    guard host.hasPrefix("["), host.hasSuffix("]") else { return false }
    var longAddress = in6_addr()
    guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &longAddress) == 1 else {
      return false
    }
    return withUnsafeBytes(of: longAddress) { bytes in
      bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
  }
}
