import HTTPServer
import HTTPService
import HTTPTypes

/// Any host may be asked for: the platform in front knows its names. Pages may call functions from
/// anywhere, since who calls is told by tokens, which no browser sends by itself. While the server ends
/// connections do: whoever asks again is to ask another instance.
struct ServePolicy: RequestPolicy {
  let maximumBodyBytes = 10 << 20
  let answersPages: Bool
  let lifecycle: Lifecycle

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
    var headers: [(name: String, value: String)] = []
    if answersPages, let origin = head.headerFields[.origin] {
      headers += [("access-control-allow-origin", origin), ("vary", "Origin")]
    }
    if lifecycle.isDraining { headers.append(("connection", "close")) }
    return headers
  }
}
