import NIOCore
import NIOExtras

/// A handler that detects a connection's protocol from its first bytes, passes them on and removes
/// itself.
///
/// gRPC clients use HTTP/2 with prior knowledge, without an upgrade. A connection on which nothing
/// arrives stays open, because apps keep unused connections in reserve. If only a part of the first
/// bytes arrives, the connection is closed after a time limit.
final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  enum Kind {
    case http1
    case http2
  }

  /// The first bytes of every HTTP/2 connection with prior knowledge (RFC 9113, section 3.4).
  private static let preface = Array("PRI * HTTP/2.0".utf8)

  private let timeout: TimeAmount
  private let onDecision: (Kind) throws -> Void
  private var received = ByteBuffer()
  private var isDecided = false
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - timeout: The time limit for the rest of the first bytes. It begins when the first byte
  ///     arrives.
  ///   - onDecision: Adds the protocol's handlers to the connection. It is called once, on the
  ///     connection's event loop.
  init(timeout: Duration, onDecision: @escaping (Kind) throws -> Void) {
    self.timeout = TimeAmount(timeout)
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
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
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

  /// Closes a connection whose protocol isn't known when the server shuts down or the client closes
  /// its side. Otherwise the connection would block the shutdown for ever.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    let isOver = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
    if isOver, !isDecided { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
