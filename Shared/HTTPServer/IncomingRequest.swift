import Core
import HTTPService
import NIOHTTP1

/// A request that a connection has received and must answer.
struct IncomingRequest: Sendable {
  enum Content: Sendable {
    /// A complete request.
    case body(Data)
    /// A request that the policy answered before its body arrived.
    case answer(ServiceResponse)
    /// An invalid or too large request, to be answered with an error.
    case refusal(StatusError, status: Int)
  }

  /// The request's line and headers, or `nil` if they can't be parsed.
  var head: RequestHead?
  /// The HTTP version of the response.
  var version = HTTPVersion.http1_1
  /// A Boolean value that indicates whether the connection closes after the response.
  var isLast = false
  var content = Content.body(Data())

  /// The number of bytes held until the request is answered.
  var byteCount: Int {
    guard case .body(let body) = content else { return 0 }
    return body.count
  }
}
