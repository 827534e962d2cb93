import Core
import HTTPService
import Services

extension UIService {
  /// Returns a file of the pages.
  ///
  /// The pages are a single HTML file that chooses its content by its address. So a browser gets
  /// this file for every path, and the other files below `/assets`.
  func page(_ request: ServiceRequest) throws(StatusError) -> ServiceResponse {
    let isAsset = request.path.first == "assets"
    let wantsPage = request.headers["accept"]?.contains("text/html") == true
    guard request.method == "GET", isAsset || request.path.isEmpty || wantsPage else {
      throw notFound(request)
    }
    let path = isAsset ? Array(request.path.dropFirst()) : ["index.html"]
    guard let file = pages[path] else { throw notFound(request) }
    let headers = [
      ("content-type", Self.contentType(of: path.last ?? "")),
      ("content-security-policy", contentSecurityPolicy(for: request)),
      ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
      ("cross-origin-opener-policy", "same-origin"), ("cache-control", "no-cache"),
      ("etag", file.tag),
    ].map { (name: $0.0, value: $0.1) }
    guard request.headers["if-none-match"] != file.tag else {
      return ServiceResponse(status: 304, headers: headers)
    }
    return ServiceResponse(headers: headers, body: file.bytes)
  }

  /// Returns the content security policy of the pages.
  ///
  /// Documents may contain hostile texts. So the policy allows only the pages' own scripts and
  /// styles, and content and connections of the emulator's own services. No text can become markup.
  ///
  /// Pictures, sound and video may also be files that the user has chosen (`blob:`), and those of
  /// other servers (`https:`), which the pages load only when the user asks for them.
  private func contentSecurityPolicy(for request: ServiceRequest) -> String {
    let host = request.authority.map(Self.withoutPort) ?? "127.0.0.1"
    // Listeners use both names of this machine in turn, because browsers limit the connections to
    // each.
    let ownNames = ["127.0.0.1", "localhost"]
    var hosts = ownNames.contains(host) ? ownNames : [host]
    var services: [String] = []
    var media: [String] = []
    for name in [ServiceName.firestore, .auth, .database, .storage, .functions] {
      guard let address = addresses()[name]?.reachable else { continue }
      // A policy can't name an IPv6 address. Pages that were opened at an IPv6 address use the
      // service's own host.
      if !hosts.contains(address.host) { hosts.append(address.host) }
      let schemes = name == .database ? ["http", "ws"] : ["http"]
      let origins = hosts.filter(Self.canBeNamed).flatMap { host in
        schemes.map { "\($0)://\(host):\(address.port)" }
      }
      services += origins
      if name == .storage { media = origins }
    }
    return [
      "default-src 'none'", "script-src 'self'", "style-src 'self'",
      "img-src \((["'self'", "data:", "blob:", "https:"] + media).joined(separator: " "))",
      "media-src \((["'self'", "blob:", "https:"] + media).joined(separator: " "))",
      "connect-src \((["'self'"] + services).joined(separator: " "))", "base-uri 'none'",
      "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  /// Returns a Host header without its port.
  ///
  /// - Parameter host: A header that the request guard has accepted.
  private static func withoutPort(_ host: String) -> String {
    guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return host }
    return String(host[..<colon])
  }

  /// Returns a Boolean value that indicates whether a content security policy can name a host.
  private static func canBeNamed(_ host: String) -> Bool {
    !host.isEmpty
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}
