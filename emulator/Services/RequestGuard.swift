import Core
import HTTPServer
package import HTTPService

/// What stands in front of every service, on every port: which Host and Origin may come in, and
/// how much they may send.
///
/// A web page anywhere can send requests to a loopback port, and one that rebinds its name to
/// 127.0.0.1 can read the answers: so a foreign Host or Origin is refused before anything runs.
package struct RequestGuard: RequestPolicy {
  /// Firestore takes commits of 10 MiB, functions events of 10 MiB; some room for what is around.
  package let maximumBodyBytes = 11 * 1024 * 1024

  private let hosts: Set<String>
  private let origins: Set<String>

  /// - Parameters:
  ///   - allowedHosts: names beside loopback, such as the bound address and `--allow-host`.
  ///   - allowedOrigins: where pages may come from beside these, `scheme://host:port`.
  package init(allowedHosts: [String] = [], allowedOrigins: [String] = []) {
    hosts = Set(allowedHosts.map { $0.lowercased() })
    origins = Set(allowedOrigins.map { $0.lowercased() })
  }

  package func answer(to head: RequestHead) -> ServiceResponse? {
    guard let authority = head.authority, isAllowed(host: authority) else {
      return .error(
        StatusError(
          .permissionDenied,
          "Host \(quoted(head.authority ?? "")) is not this emulator's; --allow-host lets it in"
        )
      )
    }
    guard let origin = head.headers["origin"] else {
      guard head.isForeignSubresource else { return nil }
      return .error(
        StatusError(.permissionDenied, "a page of another site asks without saying which it is")
      )
    }
    guard isAllowed(origin: origin) else {
      return .error(
        StatusError(
          .permissionDenied,
          "Origin \(quoted(origin)) is not local; --allow-origin lets it in"
        )
      )
    }
    return head.method == "OPTIONS" ? preflight(head) : nil
  }

  /// Apps on a developer's own server need the answer, whatever port they are on.
  package func headers(for head: RequestHead) -> [(name: String, value: String)] {
    guard let origin = head.headers["origin"], isAllowed(origin: origin) else { return [] }
    return [
      ("access-control-allow-origin", origin),
      ("access-control-allow-credentials", "true"),
      ("vary", "Origin"),
    ]
  }

  private func preflight(_ head: RequestHead) -> ServiceResponse {
    var headers = [
      ("access-control-allow-methods", "DELETE,GET,HEAD,PATCH,POST,PUT"),
      // As long as browsers remember it: a page would else ask before each request.
      ("access-control-max-age", "7200"),
    ]
    if let asked = head.headers["access-control-request-headers"] {
      headers.append(("access-control-allow-headers", asked))
    }
    return ServiceResponse(headers: headers.map { (name: $0.0, value: $0.1) })
  }

  /// - Parameter host: the Host header, with or without a port.
  package func isAllowed(host: String) -> Bool {
    let name = host.withoutPort.lowercased()
    return name.isLoopback || hosts.contains(name)
  }

  /// - Parameter origin: the Origin header, `scheme://host:port` or `null`.
  func isAllowed(origin: String) -> Bool {
    if origins.contains(origin.lowercased()) { return true }
    let parts = origin.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].hasSuffix(":"), parts[1].isEmpty else { return false }
    return isAllowed(host: String(parts[2]))
  }
}

extension String {
  /// As it is, if what follows isn't a port.
  fileprivate var withoutPort: String {
    if hasPrefix("["), let end = firstIndex(of: "]") {
      let rest = self[index(after: end)...]
      return rest.isEmpty || rest.first == ":" ? String(self[index(after: startIndex)..<end]) : self
    }
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : self
  }

  fileprivate var isLoopback: Bool {
    if self == "localhost" || hasSuffix(".localhost") || self == "::1" { return true }
    let numbers = split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
  }
}

extension RequestHead {
  /// Whether a browser says that another site's page loads this: as an image, a script or a frame,
  /// whose requests have no Origin. Who follows a link to here is let in.
  fileprivate var isForeignSubresource: Bool {
    headers["sec-fetch-site"] == "cross-site" && headers["sec-fetch-dest"] != "document"
  }
}
