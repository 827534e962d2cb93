import HTTPServer
import HTTPService

/// The policy for requests to a served function.
///
/// - Any Host header is accepted: the platform in front checks it.
/// - Pages of any origin may call the function. Callers are identified by tokens, which browsers
///   don't send by themselves.
/// - During a shutdown connections are closed, so that clients connect to another instance.
struct ServePolicy: RequestPolicy {
  let answersPages: Bool
  let lifecycle: Lifecycle

  func maximumBodyBytes(of head: RequestHead) -> Int { 10 << 20 }

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
