import Core
import HTTPService
import NIOHTTP1

/// What a connection owes an answer for.
struct IncomingRequest: Sendable {
  enum Content: Sendable {
    /// The request is whole.
    case body(Data)
    /// It isn't the service's business, and has its answer before its body has come.
    case answer(ServiceResponse)
    /// It is none, or no longer waited for.
    case refusal(StatusError, status: Int)
  }

  /// Nil if nobody can tell what was asked.
  var head: RequestHead?
  /// The one that its answer has.
  var version = HTTPVersion.http1_1
  /// Whether the connection ends with its answer.
  var isLast = false
  var content = Content.body(Data())

  /// How much of it is kept until it is answered.
  var byteCount: Int {
    guard case .body(let body) = content else { return 0 }
    return body.count
  }
}
