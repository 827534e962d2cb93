import NIOCore
import NIOExtras

/// Reads until a connection's first bytes tell its protocol, then passes them on and leaves.
///
/// gRPC clients speak HTTP/2 from the first byte, without asking. A connection that says nothing
/// may stay: apps keep some in reserve. One that stops within the first bytes may not.
final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  enum Kind {
    case http1
    case http2
  }

  /// How every HTTP/2 connection with prior knowledge begins (RFC 9113, section 3.4).
  private static let preface = Array("PRI * HTTP/2.0".utf8)

  private let patience: TimeAmount
  private let onDecision: (Kind) throws -> Void
  private var received = ByteBuffer()
  private var isDecided = false
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - patience: how long the first bytes may take once they have begun.
  ///   - onDecision: adds the handlers of the protocol to the connection; called once, on its
  ///     event loop.
  init(patience: Duration, onDecision: @escaping (Kind) throws -> Void) {
    self.patience = TimeAmount(patience)
    self.onDecision = onDecision
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    guard !isDecided else { return }
    let count = min(received.readableBytes, Self.preface.count)
    let isHTTP2 = received.readableBytesView.prefix(count).elementsEqual(
      Self.preface.prefix(count)
    )
    if isHTTP2 && count < Self.preface.count { return wait(context) }
    isDecided = true
    timer?.cancel()
    do {
      try onDecision(isHTTP2 ? .http2 : .http1)
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    } catch {
      context.close(promise: nil)
    }
  }

  private func wait(_ context: ChannelHandlerContext) {
    guard timer == nil else { return }
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
      if !self.isDecided { context.close(promise: nil) }
    }
  }

  func removeHandler(
    context: ChannelHandlerContext,
    removalToken: ChannelHandlerContext.RemovalToken
  ) {
    context.fireChannelRead(wrapInboundOut(received))
    context.fireChannelReadComplete()
    received = ByteBuffer()
    context.leavePipeline(removalToken: removalToken)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  /// A connection that has said nothing yet would hold up the shutdown for ever.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    let isOver = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
    if isOver, !isDecided { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
