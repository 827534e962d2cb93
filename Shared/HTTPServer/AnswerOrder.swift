import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Follows requests and answers of a connection, and ends it after an answer that came before its
/// request was whole, or that says so itself: nobody reads the rest. That it ends isn't said while
/// another request waits that is whole.
final class AnswerOrder: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: ConnectionLimits
  private let progress: RequestProgress
  private var closes = false

  init(_ limits: ConnectionLimits, _ progress: RequestProgress) {
    self.limits = limits
    self.progress = progress
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), progress.phase) {
    case (_, .over): return
    case (.head(let head), _):
      progress.phase = .body
      progress.isHead = head.method == .head
    case (.end, _):
      progress.phase = .idle
      progress.isHead = false
      progress.unanswered += 1
    case (.body, _): break
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.kind != .informational:
      if progress.unanswered == 0 { progress.hasAnswer = true }
      let isLast = progress.unanswered == 1 && head.headerFields[.connection] == "close"
      closes = progress.unanswered == 0 || isLast
      head.headerFields[.connection] = closes ? "close" : nil
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where closes:
      progress.phase = .over
      context.writeAndFlush(data, promise: promise)
      close(context)
    case .end:
      progress.unanswered -= 1
      context.write(data, promise: promise)
      if progress.awaitsRest { context.triggerUserOutboundEvent(RestIsAwaited(), promise: nil) }
    case .head, .body: context.write(data, promise: promise)
    }
  }

  /// A connection that has had its last answer ends in its own time, whoever wants to end it.
  func close(
    context: ChannelHandlerContext,
    mode: CloseMode,
    promise: EventLoopPromise<Void>?
  ) {
    guard progress.phase == .over, mode == .all else {
      return context.close(mode: mode, promise: promise)
    }
    context.channel.closeFuture.cascade(to: promise)
  }

  /// Not at once: a side that still sends would lose the answer with the connection.
  private func close(_ context: ChannelHandlerContext) {
    context.close(mode: .output, promise: nil)
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.lingering)) {
      context.close(promise: nil)
    }
  }
}
