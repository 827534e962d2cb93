import HTTPServer
import HTTPService
import HTTPTypes

/// Any host may be asked for: the platform in front knows its names. Pages may call functions from
/// anywhere, since who calls is told by tokens, which no browser sends by itself.
struct ServePolicy: RequestPolicy {
  let maximumBodyBytes = 10 << 20
  let answersPages: Bool

  func answer(to head: HTTPRequest) -> ServiceResponse? {
    guard answersPages, head.method == .options, head.headerFields[.origin] != nil,
      head.headerFields[.accessControlRequestMethod] != nil
    else { return nil }
    var headers: [(name: String, value: String)] = [
      ("access-control-allow-methods", "POST"), ("access-control-max-age", "3600"),
    ]
    if let asked = head.headerFields[.accessControlRequestHeaders] {
      headers.append(("access-control-allow-headers", asked))
    }
    return ServiceResponse(status: 204, headers: headers)
  }

  func headers(for head: HTTPRequest) -> [(name: String, value: String)] {
    guard answersPages, let origin = head.headerFields[.origin] else { return [] }
    return [("access-control-allow-origin", origin), ("vary", "Origin")]
  }
}
