package import Core
import HTTPService
import NIOCore
import NIOHTTP1

/// A request that was answered before any service heard of it.
package struct RefusedRequest: Sendable {
  package var status: Int
  /// Why. Its message names what is wrong and may quote names that the request has.
  package var error: StatusError
  /// Names in lower case; empty if the request didn't get so far.
  package var headers: [String: String]
}

extension RefusedRequest {
  /// The answer of a connection that ends with it. For HEAD the body isn't sent.
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
