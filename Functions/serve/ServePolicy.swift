import HTTPServer
import HTTPService

/// Any host may be asked for: the platform in front knows its names. Pages may call functions from
/// anywhere, since who calls is told by tokens, which no browser sends by itself. While the server ends
/// connections do: whoever asks again is to ask another instance.
struct ServePolicy: RequestPolicy {
  let maximumBodyBytes = 10 << 20
  let answersPages: Bool
  let lifecycle: Lifecycle

  func answer(to head: RequestHead) -> ServiceResponse? {
    guard answersPages, head.method == "OPTIONS", head.headers["origin"] != nil,
      head.headers["access-control-request-method"] != nil
    else { return nil }
    var headers: [(name: String, value: String)] = [
      ("access-control-allow-methods", "POST"), ("access-control-max-age", "3600"),
    ]
    if let asked = head.headers["access-control-request-headers"] {
      headers.append(("access-control-allow-headers", asked))
    }
    return ServiceResponse(status: 204, headers: headers)
  }

  func headers(for head: RequestHead) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    if answersPages, let origin = head.headers["origin"] {
      headers += [("access-control-allow-origin", origin), ("vary", "Origin")]
    }
    if lifecycle.isDraining { headers.append(("connection", "close")) }
    return headers
  }
}
