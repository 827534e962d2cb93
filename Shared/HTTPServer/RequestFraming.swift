import NIOCore
import NIOHTTP1
import Platform
import RPCStatus

/// Stands between the parser and the rest of a connection: refuses what two servers may read
/// differently and says why, and ends the connection where HTTP/1.0 or the client wants its end.
final class RequestFraming: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum Phase {
    case open
    /// The request that is being read is the connection's last one.
    case last(HTTPVersion)
    /// It is whole: what comes after it is nobody's.
    case over(HTTPVersion)
    /// What came was no request.
    case refused(StatusError, HTTPRequestHead?)
  }

  private let onRefusal: @Sendable (RefusedRequest) -> Void
  private var phase = Phase.open
  /// Requests that were let in and not answered.
  private var unanswered = 0

  init(onRefusal: @escaping @Sendable (RefusedRequest) -> Void) { self.onRefusal = onRefusal }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), phase) {
    case (_, .over), (_, .refused): return
    case (.head(var head), _):
      do throws(StatusError) {
        try head.checkFraming()
      } catch {
        phase = .refused(error, head)
        // Whoever reads the requests comes to this one when those before it are answered.
        context.fireErrorCaught(HTTPParserError.unknown)
        return
      }
      unanswered += 1
      guard head.isLast else { break }
      phase = .last(head.version)
      // The one form in which everybody behind this understands it.
      head.headers.replaceOrAdd(name: "connection", value: "close")
      return context.fireChannelRead(wrapInboundOut(.head(head)))
    case (.end, .last(let version)): phase = .over(version)
    case (.end, _), (.body, _): break
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
    switch phase {
    case .over, .refused: return
    // Whoever leaves in the middle of a request waits for nothing.
    case _ where error == .invalidEOFState: context.fireErrorCaught(error)
    case .open, .last:
      phase = .refused(StatusError(.invalidArgument, error.reason), nil)
      context.fireErrorCaught(error)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch (unwrapOutboundIn(data), phase) {
    case (.head(let head), .refused(let error, let request))
    where unanswered == 0 && head.isFinal:
      refuse(context, error, request, promise: promise)
    case (.head(var head), .last(.http1_0)), (.head(var head), .over(.http1_0)):
      // Of those before it none is of this version.
      guard unanswered == 1 else { return context.write(data, promise: promise) }
      // HTTP/1.0 knows no answer before the answer, and no chunks.
      guard head.isFinal else {
        promise?.succeed()
        return
      }
      head.version = .http1_0
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case (.end, _):
      unanswered = max(0, unanswered - 1)
      context.write(data, promise: promise)
    case (.head, _), (.body, _): context.write(data, promise: promise)
    }
  }

  /// Writes what was wrong in place of an empty answer; its end comes from whoever wrote that.
  private func refuse(
    _ context: ChannelHandlerContext,
    _ error: StatusError,
    _ request: HTTPRequestHead?,
    promise: EventLoopPromise<Void>?
  ) {
    let fields = request?.headers.map { ($0.name.lowercased(), $0.value) } ?? []
    let refusal = RefusedRequest(
      status: error.code.httpStatus,
      error: error,
      headers: Dictionary(fields) { first, _ in first }
    )
    let (head, body) = refusal.answer
    if request?.method == .HEAD {
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    } else {
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
    }
    onRefusal(refusal)
  }
}

extension HTTPResponseHead {
  /// Whether it is the answer, and nothing said before it.
  fileprivate var isFinal: Bool { status.code >= 200 }
}

extension HTTPParserError {
  /// What the parser stumbled over, as far as it tells.
  fileprivate var reason: String {
    switch self {
    case .headerOverflow: "the request's headers are too large"
    case .invalidMethod: "the request's method is not known"
    case .invalidURL: "the request's target is malformed"
    case .invalidVersion: "the version of HTTP is neither 1.0 nor 1.1"
    case .unexpectedContentLength: "the request has more than one Content-Length"
    case .invalidContentLength:
      "the Content-Length is no number, or there is Content-Length beside Transfer-Encoding"
    // The parser's only word for it.
    case .unknown:
      "the Transfer-Encoding is malformed, or there is Content-Length beside Transfer-Encoding"
    case .invalidChunkSize: "the body's chunks are malformed"
    default: "the request is malformed"
    }
  }
}
