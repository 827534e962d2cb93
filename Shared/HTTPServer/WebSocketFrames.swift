import NIOCore
import NIOWebSocket

/// A channel handler that turns the frames of a WebSocket connection into messages.
///
/// Source: RFC 6455.
final class WebSocketFrames: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = Never
  typealias OutboundOut = WebSocketFrame

  /// The most bytes that a client may leave unread, besides one larger message.
  private static let maximumUnreadBytes = 16 << 20
  /// The number of unread bytes from which a connection counts in `UnreadResponses`.
  private static let manyUnreadBytes = 1 << 20
  /// The time that a client has to answer a close frame.
  private static let closeTime = TimeAmount.seconds(1)

  private let maximumMessageBytes: Int
  private let unread: UnreadResponses
  /// The connection's number in `unread`, or `nil` if it doesn't count there.
  private var unreadNumber: Int?
  private var context: ChannelHandlerContext?
  private var handler: (any WebSocketHandler)?
  /// The frames of a message so far, or `nil` between messages.
  private var message: ByteBuffer?
  private var unreadBytes = 0
  /// The unread bytes of a message that is larger than the limit.
  private var unreadLargeBytes = 0
  private var allUnreadBytes: Int { unreadBytes + unreadLargeBytes }
  private var isClosing = false
  private var isReading = true
  private var isHeld = false
  /// A Boolean value that indicates whether the client has to show that it is still there.
  private var awaitsPong = false

  init(maximumMessageBytes: Int, unread: UnreadResponses) {
    self.maximumMessageBytes = maximumMessageBytes
    self.unread = unread
  }

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
    if let unreadNumber { unread.end(unreadNumber) }
    unreadNumber = nil
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
    // Clients mask their frames, and no extension is in use.
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
      return close(.protocolError)
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

  /// Sends texts, each as a frame.
  func send(_ texts: [ByteBuffer]) {
    guard !isClosing, let context else { return }
    let count = texts.reduce(0) { $0 + $1.readableBytes }
    let isLarge = count > Self.maximumUnreadBytes
    guard
      isLarge ? unreadLargeBytes == 0 : unreadBytes + count <= Self.maximumUnreadBytes
    else {
      isClosing = true
      return context.close(promise: nil)
    }
    if isLarge { unreadLargeBytes = count } else { unreadBytes += count }
    if allUnreadBytes >= Self.manyUnreadBytes, unreadNumber == nil {
      let number = unread.begin(on: context.channel)
      unreadNumber = number
      unread.set(allUnreadBytes, of: number)
    }
    for text in texts {
      let sent = context.eventLoop.makePromise(of: Void.self)
      let count = text.readableBytes
      sent.futureResult.assumeIsolated().whenComplete { _ in self.wasRead(count, isLarge) }
      let frame = WebSocketFrame(fin: true, opcode: .text, data: text)
      context.write(wrapOutboundOut(frame), promise: sent)
    }
    context.flush()
  }

  private func wasRead(_ count: Int, _ isLarge: Bool) {
    if isLarge { unreadLargeBytes -= count } else { unreadBytes -= count }
    guard let number = unreadNumber else { return }
    if allUnreadBytes == 0 {
      unread.end(number)
      unreadNumber = nil
    } else {
      unread.set(allUnreadBytes, of: number)
    }
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
    let channel = context.channel
    if isAnswer { sent.futureResult.whenComplete { _ in channel.close(promise: nil) } }
    // A client that doesn't read gets no close frame.
    context.eventLoop.scheduleTask(in: Self.closeTime) { channel.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent: close(.goingAway)
    case ChannelEvent.inputClosed: context.close(promise: nil)
    case IdleStateHandler.IdleStateEvent.read:
      guard isReading else { return }
      // A client that has vanished without closing answers no ping.
      if awaitsPong { return context.close(promise: nil) }
      awaitsPong = true
      write(.ping, ByteBuffer())
    case is IdleStateHandler.IdleStateEvent: break
    default: context.fireUserInboundEventTriggered(event)
    }
  }
}
