import Core
import HTTPServer
package import HTTPService

/// The policy of every port: it checks the Host and Origin headers, and limits the size of bodies.
///
/// Any web page can send requests to a loopback port. A page that uses DNS rebinding to point its
/// own name at 127.0.0.1 can read the responses, too. So requests with a foreign Host or Origin are
/// refused before a service sees them.
package struct RequestGuard: RequestPolicy {
  private let hosts: Set<String>
  private let origins: Set<String>
  private let onRefusal: @Sendable (String) -> Void

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - allowedHosts: The allowed hosts besides loopback, such as the bound address and those of
  ///     `--allow-host`.
  ///   - allowedOrigins: The allowed origins besides those of the hosts, as `scheme://host:port`.
  ///   - onRefusal: Called with the error of each request that is refused.
  package init(
    allowedHosts: [String] = [],
    allowedOrigins: [String] = [],
    onRefusal: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    hosts = Set(allowedHosts.map { $0.lowercased() })
    origins = Set(allowedOrigins.map { $0.lowercased() })
    self.onRefusal = onRefusal
  }

  /// Returns the maximum size of a body: 10 MiB for a commit or an event, plus 1 MiB for everything
  /// else. The forms of WebChannel may have more, because a byte takes three in them, and JSON takes
  /// more than Firestore's own form.
  package func maximumBodyBytes(of head: RequestHead) -> Int {
    head.target.hasPrefix("/google.firestore.v1.Firestore/") ? 64 << 20 : 11 << 20
  }

  package func answer(to head: RequestHead) -> ServiceResponse? {
    let host = head.authority ?? ""
    guard isAllowed(host: host) else { return refusal(reason(against: host)) }
    guard let origin = head.headers["origin"] else {
      guard head.isForeignSubresource, !head.isLongPolling else { return nil }
      return refusal("a page of another site has sent a request without an Origin header")
    }
    guard isAllowed(origin: origin, to: host) else {
      return refusal(
        "Origin \(quoted(origin)) is not allowed: start the emulator with --allow-origin and this "
          + "origin"
      )
    }
    return head.method == "OPTIONS" ? preflight(head) : nil
  }

  private func refusal(_ reason: String) -> ServiceResponse {
    onRefusal(reason)
    return .error(StatusError(.permissionDenied, reason))
  }

  private func reason(against host: String) -> String {
    "Host \(quoted(host)) is not allowed: start the emulator with --allow-host and its name"
  }

  /// Returns the CORS headers, which let apps on a developer's own server read the response.
  package func headers(for head: RequestHead) -> [(name: String, value: String)] {
    guard let origin = head.headers["origin"],
      isAllowed(origin: origin, to: head.authority)
    else { return [] }
    return [
      ("access-control-allow-origin", origin),
      ("access-control-allow-credentials", "true"),
      ("vary", "Origin"),
    ]
  }

  private func preflight(_ head: RequestHead) -> ServiceResponse {
    var headers = [
      ("access-control-allow-methods", "DELETE,GET,HEAD,PATCH,POST,PUT"),
      // The maximum that browsers accept; without it, a page sends a preflight for each request.
      ("access-control-max-age", "7200"),
    ]
    if let asked = head.headers["access-control-request-headers"] {
      headers.append(("access-control-allow-headers", asked))
    }
    // A page of another network, such as an allowed https:// origin, asks for it.
    if head.headers["access-control-request-private-network"] == "true" {
      headers.append(("access-control-allow-private-network", "true"))
    }
    return ServiceResponse(headers: headers.map { (name: $0.0, value: $0.1) })
  }

  /// Returns a Boolean value that indicates whether a request with a Host header is let through.
  ///
  /// - Parameter host: The Host header, with or without a port.
  package func admits(host: String) -> Bool {
    guard !isAllowed(host: host) else { return true }
    onRefusal(reason(against: host))
    return false
  }

  private func isAllowed(host: String) -> Bool {
    host.isAndroidHost || isOwn(host: host)
  }

  private func isOwn(host: String) -> Bool {
    let name = host.withoutPort.lowercased()
    return name.isLoopback || hosts.contains(name)
  }

  /// Returns a Boolean value that indicates whether an Origin header is allowed.
  ///
  /// A page from 10.0.2.2 may only send requests to 10.0.2.2: anywhere but in Android's emulators,
  /// that address belongs to another machine, whose pages have no business on this one.
  ///
  /// - Parameters:
  ///   - origin: The Origin header, `scheme://host:port` or `null`.
  ///   - host: The Host header, or `nil` if there is none.
  func isAllowed(origin: String, to host: String?) -> Bool {
    if origins.contains(origin.lowercased()) { return true }
    let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return false }
    return isOwn(host: String(parts[2]))
      || host?.isAndroidHost == true && String(parts[2]).isAndroidHost
  }
}

extension String {
  /// The host without its port and without the brackets of an IPv6 address.
  ///
  /// If the text isn't a host with an optional port, it is unchanged.
  fileprivate var withoutPort: String {
    if hasPrefix("["), let end = firstIndex(of: "]") {
      let rest = self[index(after: end)...]
      return rest.isEmpty || rest.first == ":" ? String(self[index(after: startIndex)..<end]) : self
    }
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : self
  }

  /// A Boolean value that indicates whether this is the address at which Android's emulators reach
  /// the machine that they run on, with or without a port.
  fileprivate var isAndroidHost: Bool { withoutPort == "10.0.2.2" }

  fileprivate var isLoopback: Bool {
    if self == "localhost" || hasSuffix(".localhost") || self == "::1" { return true }
    let numbers = split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
  }
}

extension RequestHead {
  /// A Boolean value that indicates whether Firebase's Web SDK loads a script from the Realtime
  /// Database. It has no Origin header, and its response has no data.
  fileprivate var isLongPolling: Bool { method == "GET" && target.hasPrefix("/.lp?") }

  /// A Boolean value that indicates whether a page of another site makes the request to load an
  /// image, a script or a frame.
  ///
  /// Such a request has no Origin header, but browsers describe it in `Sec-Fetch` headers.
  /// Following a link to the emulator is allowed.
  fileprivate var isForeignSubresource: Bool {
    headers["sec-fetch-site"] == "cross-site" && headers["sec-fetch-dest"] != "document"
  }
}
