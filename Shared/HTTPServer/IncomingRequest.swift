import Core
import HTTPService
import NIOHTTP1

/// A request that a connection has received and must answer.
struct IncomingRequest: Sendable {
  enum Content: Sendable {
    /// The body of a complete request.
    case body(Data)
    /// The body of a request that is passed on before its body has arrived.
    case stream(RequestBody)
    /// The policy's response to a request whose body isn't needed.
    case answer(ServiceResponse)
    /// An error, which is the response to an invalid or too large request.
    case refusal(StatusError, status: Int)
  }

  /// The request line and the headers, or `nil` if they can't be parsed.
  var head: RequestHead?
  /// The HTTP version of the response.
  var version = HTTPVersion.http1_1
  /// A Boolean value that indicates whether the connection closes after the response.
  var isLast = false
  var content = Content.body(Data())

  /// The number of body bytes that are kept until the request is answered.
  var byteCount: Int {
    guard case .body(let body) = content else { return 0 }
    return body.count
  }
}
