import NIOCore
import NIOWebSocket

/// A channel handler that turns the frames of a WebSocket connection into messages.
///
/// Source: RFC 6455.
final class WebSocketFrames: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = Never
  typealias OutboundOut = WebSocketFrame

  /// The most bytes that a client may leave unread.
  private static let maximumUnreadBytes = 16 << 20
  /// The time that a client has to answer a close frame.
  private static let closeTime = TimeAmount.seconds(1)

  private let maximumMessageBytes: Int
  private var context: ChannelHandlerContext?
  private var handler: (any WebSocketHandler)?
  /// The frames of a message so far, or `nil` between messages.
  private var message: ByteBuffer?
  private var unreadBytes = 0
  private var isClosing = false
  private var isReading = true
  private var isHeld = false
  /// A Boolean value that indicates whether the client has to show that it is still there.
  private var awaitsPong = false

  init(maximumMessageBytes: Int) { self.maximumMessageBytes = maximumMessageBytes }

  func open(_ handler: any WebSocketHandler) {
    self.handler = handler
    handler.opened()
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    isClosing = true
    handler?.closed()
    handler = nil
  }

  // MARK: Receiving

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    awaitsPong = false
    guard !isClosing else {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    switch frame.opcode {
    case .text, .binary:
      guard message == nil else { return close(.protocolError) }
      message = ByteBuffer()
      append(frame)
    case .continuation:
      guard message != nil else { return close(.protocolError) }
      append(frame)
    case .ping: write(.pong, frame.unmaskedData)
    case .pong: break
    case .connectionClose: close(.normalClosure)
    default: close(.protocolError)
    }
  }

  private func append(_ frame: WebSocketFrame) {
    guard var text = message else { return }
    var part = frame.unmaskedData
    guard text.readableBytes + part.readableBytes <= maximumMessageBytes else {
      return close(.messageTooLarge)
    }
    if text.readableBytes == 0 { text = part } else { text.writeBuffer(&part) }
    message = text
    guard frame.fin else { return }
    message = nil
    handler?.received(text)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? NIOWebSocketError else { return context.close(promise: nil) }
    switch error {
    case .invalidFrameLength: close(.messageTooLarge)
    default: close(.protocolError)
    }
  }

  func read(context: ChannelHandlerContext) {
    isHeld = !isReading
    if isReading { context.read() }
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    guard isReading, isHeld else { return }
    isHeld = false
    context?.read()
  }

  // MARK: Sending

  func send(_ text: ByteBuffer) {
    guard !isClosing, let context else { return }
    let count = text.readableBytes
    unreadBytes += count
    guard unreadBytes <= Self.maximumUnreadBytes else {
      isClosing = true
      return context.close(promise: nil)
    }
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in self.unreadBytes -= count }
    let frame = WebSocketFrame(fin: true, opcode: .text, data: text)
    context.writeAndFlush(wrapOutboundOut(frame), promise: sent)
  }

  private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
    context?.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  // MARK: Closing

  /// Sends a close frame, and closes the connection when the client has answered it.
  func close(_ code: WebSocketErrorCode) {
    guard !isClosing, let context else { return }
    isClosing = true
    var data = context.channel.allocator.buffer(capacity: 2)
    data.write(webSocketErrorCode: code)
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    let isAnswer = code == .normalClosure
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(frame), promise: sent)
    let (channel, eventLoop) = (context.channel, context.eventLoop)
    sent.futureResult.whenComplete { _ in
      if isAnswer { return channel.close(promise: nil) }
      eventLoop.scheduleTask(in: Self.closeTime) { channel.close(promise: nil) }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent: close(.goingAway)
    case ChannelEvent.inputClosed: context.close(promise: nil)
    case is IdleStateHandler.IdleStateEvent:
      // A client that has vanished without closing answers no ping.
      if awaitsPong { return context.close(promise: nil) }
      awaitsPong = true
      write(.ping, ByteBuffer())
    default: context.fireUserInboundEventTriggered(event)
    }
  }
}
