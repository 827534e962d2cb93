package import Core
import HTTPService
import NIOCore
import NIOHTTP1

/// A request that was refused before it reached the service.
package struct RefusedRequest: Sendable {
  package var status: Int
  /// The error. Its message names the invalid part, and may quote names from the request.
  package var error: StatusError
  /// The headers, with names in lower case; empty if the headers can't be parsed.
  package var headers: [String: String]
}

extension RefusedRequest {
  /// The response, after which the connection closes. For HEAD requests the body isn't sent.
  var answer: (head: HTTPResponseHead, body: ByteBuffer) {
    let answer = ServiceResponse.error(error, status: status)
    var head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status))
    for (name, value) in answer.headers { head.headers.add(name: name, value: value) }
    head.headers.add(name: "content-length", value: "\(answer.body.count)")
    head.headers.add(name: "connection", value: "close")
    head.headers.add(name: "date", value: HTTPDate.now)
    return (head, ByteBuffer(bytes: answer.body))
  }
}
