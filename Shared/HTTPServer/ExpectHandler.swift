import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue`. curl asks so before bodies of more than a mebibyte, and waits a
/// second for an answer that never comes. Who says that the body is too large gets the refusal alone.
///
/// That one may go on is said when all requests before have their answers, and not to who went on
/// without.
final class ExpectHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let maximumBodyBytes: Int
  /// Requests whose answers haven't ended.
  private var unanswered = 0
  /// Whether the last of them waits to be asked for its body.
  private var isExpecting = false

  init(maximumBodyBytes: Int) { self.maximumBodyBytes = maximumBodyBytes }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      unanswered += 1
      isExpecting =
        head.headerFields[.expect]?.lowercased() == "100-continue"
        && head.headerFields.statedLength <= maximumBodyBytes
      askForBody(context)
    case .body, .end: isExpecting = false
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    // After the connection's last answer comes nothing.
    if case .head(let head) = part, head.headerFields[.connection] == "close" {
      isExpecting = false
    }
    context.write(data, promise: promise)
    guard case .end = part else { return }
    unanswered -= 1
    askForBody(context)
  }

  private func askForBody(_ context: ChannelHandlerContext) {
    guard isExpecting, unanswered == 1 else { return }
    isExpecting = false
    let goOn = HTTPResponsePart.head(HTTPResponse(status: .continue))
    context.writeAndFlush(wrapOutboundOut(goOn), promise: nil)
  }
}

extension HTTPFields {
  /// How long the body is to be, 0 where that isn't said.
  var statedLength: Int { self[.contentLength].flatMap { Int($0) } ?? 0 }
}
