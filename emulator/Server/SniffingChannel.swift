import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras

extension HTTPServerBuilder {
  /// A port that tells HTTP/1.1 from gRPC by the first bytes of a connection.
  static func sniffingProtocol() -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      SniffingChannel(http1: HTTP1Channel(responder: responder))
    }
  }
}

/// A connection whose protocol isn't known yet.
///
/// gRPC clients speak HTTP/2 from the first byte, without asking. That half is not built: they
/// are told so in HTTP/2's own words.
private struct SniffingChannel: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    var channel: any Channel
    /// nil for a connection that was refused.
    var http1: EventLoopFuture<HTTP1Channel.Value?>
  }

  var http1: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let decided = channel.eventLoop.makePromise(of: HTTP1Channel.Value?.self)
      let sniffer = ProtocolSniffer(
        onHTTP1: {
          let value = http1.setup(channel: channel, logger: logger)
          decided.completeWith(value.map(Optional.some))
          return value.map { _ in }
        },
        onEnd: { decided.succeed(nil) }
      )
      try channel.pipeline.syncOperations.addHandler(sniffer)
      return Value(channel: channel, http1: decided.futureResult)
    }
  }

  func handle(value: Value, logger: Logger) async {
    guard let connection = try? await value.http1.get() else { return }
    await http1.handle(value: connection, logger: logger)
  }
}

/// Reads until the first bytes tell the protocol, then passes them on and leaves.
private final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How every HTTP/2 connection with prior knowledge begins (RFC 9113, section 3.4).
  private static let preface = Array("PRI * HTTP/2.0".utf8)

  private let onHTTP1: () -> EventLoopFuture<Void>
  private let onEnd: () -> Void
  private var received = ByteBuffer()
  private var isDecided = false

  init(onHTTP1: @escaping () -> EventLoopFuture<Void>, onEnd: @escaping () -> Void) {
    self.onHTTP1 = onHTTP1
    self.onEnd = onEnd
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received.writeBuffer(&bytes)
    guard !isDecided else { return }
    let count = min(received.readableBytes, Self.preface.count)
    let isHTTP2 = received.readableBytesView.prefix(count).elementsEqual(
      Self.preface.prefix(count)
    )
    if isHTTP2 && count < Self.preface.count { return }
    isDecided = true
    if isHTTP2 {
      refuseHTTP2(context)
    } else {
      let (channel, pipeline) = (context.channel, context.pipeline.syncOperations)
      onHTTP1().assumeIsolated().whenComplete { result in
        switch result {
        case .success: pipeline.removeHandler(self, promise: nil)
        case .failure: channel.close(promise: nil)
        }
      }
    }
  }

  func removeHandler(
    context: ChannelHandlerContext,
    removalToken: ChannelHandlerContext.RemovalToken
  ) {
    context.fireChannelRead(wrapInboundOut(received))
    context.fireChannelReadComplete()
    context.leavePipeline(removalToken: removalToken)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isDecided { onEnd() }
    context.fireChannelInactive()
  }

  /// A connection that has said nothing yet would hold up the shutdown for ever.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, !isDecided { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  /// Empty SETTINGS, then GOAWAY with HTTP_1_1_REQUIRED and a sentence (RFC 9113, 6.5 and 6.8).
  private func refuseHTTP2(_ context: ChannelHandlerContext) {
    let reason = "gRPC is not built yet; use the REST API"
    var frames = ByteBuffer(bytes: [0, 0, 0, 4, 0, 0, 0, 0, 0])
    frames.writeBytes([0, 0, UInt8(8 + reason.utf8.count), 7, 0, 0, 0, 0, 0])
    frames.writeInteger(UInt32(0))
    frames.writeInteger(UInt32(13))
    frames.writeString(reason)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(frames)).whenComplete { _ in
      channel.close(promise: nil)
    }
    onEnd()
  }
}
