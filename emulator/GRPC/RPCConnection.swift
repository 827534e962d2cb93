import Core
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A client's connection, which turns HTTP/2 frames into calls, and answers into frames.
///
/// It works on frames, without a channel for each stream. A unary call has two frames in and three
/// out, so any further layer would cost noticeable time.
final class RPCConnection: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  let server: RPCServer
  private let goAwayWatch: GoAwayWatch
  /// The channel's context, or `nil` before and after the connection.
  var context: ChannelHandlerContext?
  var streams: [HTTP2StreamID: RPCStream] = [:]
  /// The calls since the last pause in reading. A call without an answer by then gets a timer.
  var fresh: [RPCStream] = []
  /// The held bytes of requests, and of answers.
  var heldRequestBytes = 0
  var heldResponseBytes = 0
  /// The last authority that was allowed. All calls of a connection have the same.
  private var allowedAuthority: String?

  private var lastStreamID = HTTP2StreamID.rootStream
  private var handshakeTimer: Scheduled<Void>?
  private var isStarted = false
  private var isQuiescing = false
  private var isClosing = false
  private var isReading = false
  private var isReadDelayed = false
  private var isFlushScheduled = false

  init(_ server: RPCServer, goAwayWatch: GoAwayWatch) {
    self.server = server
    self.goAwayWatch = goAwayWatch
  }

  // MARK: Beginning and end

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { start(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    start(context)
    context.fireChannelActive()
  }

  private func start(_ context: ChannelHandlerContext) {
    guard !isStarted else { return }
    isStarted = true
    handshakeTimer = context.eventLoop.assumeIsolated().scheduleTask(
      in: TimeAmount(server.limits.handshakeTime)
    ) { self.context?.close(promise: nil) }
    // HTTP/2 has no setting for the connection's own window, which begins at 65,535 bytes.
    grantConnectionWindow(65_535)
    context.flush()
  }

  func channelInactive(context: ChannelHandlerContext) {
    abandonAll()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    abandonAll()
    self.context = nil
  }

  private func abandonAll() {
    handshakeTimer?.cancel()
    handshakeTimer = nil
    let all = streams.values
    streams = [:]
    fresh = []
    for stream in all { abandon(stream) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A stream with an error is reset already, and doesn't affect the others.
    if goAwayWatch.hasSeenError || error is IOError { context.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let event as StreamClosedEvent:
      if let stream = streams.removeValue(forKey: event.streamID) { abandon(stream) }
      closeIfQuiet()
    case let event as NIOHTTP2WindowUpdatedEvent:
      if event.streamID == .rootStream, let size = event.inboundWindowSize {
        grantConnectionWindow(size)
      }
    case ChannelEvent.inputClosed: context.close(promise: nil)
    case is ChannelShouldQuiesceEvent: quiesce(context)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Stops accepting calls, and gives active calls a moment to end.
  ///
  /// A bidirectional call could last forever, so it ends at once. Its client opens it again
  /// elsewhere.
  private func quiesce(_ context: ChannelHandlerContext) {
    guard !isQuiescing else { return }
    isQuiescing = true
    sendGoAway()
    for stream in streams.values where stream.input != nil { end(stream, Self.isEnding) }
    context.eventLoop.assumeIsolated().scheduleTask(
      in: TimeAmount(server.limits.shutdownGrace)
    ) { [weak self] in self?.endAll() }
    flushSoon()
    closeIfQuiet()
  }

  private func endAll() {
    for stream in streams.values { end(stream, Self.isEnding) }
    context?.flush()
    context?.close(promise: nil)
  }

  /// Closes the connection after the last answer, which a second GOAWAY follows.
  private func closeIfQuiet() {
    guard isQuiescing, !isClosing, streams.isEmpty, let context else { return }
    isClosing = true
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in self.context?.close(promise: nil) }
    sendGoAway(promise: sent)
    context.eventLoop.assumeIsolated().execute { self.context?.flush() }
  }

  private func sendGoAway(promise: EventLoopPromise<Void>? = nil) {
    write(
      .goAway(lastStreamID: lastStreamID, errorCode: .noError, opaqueData: nil),
      on: .rootStream,
      promise: promise
    )
  }

  private static var isEnding: StatusError {
    StatusError(.unavailable, "the emulator is shutting down")
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReading = true
    let frame = unwrapInboundIn(data)
    switch frame.payload {
    case .data(let payload):
      guard let stream = streams[frame.streamID], !stream.isEnded else { return }
      receive(payload, for: stream)
    case .headers(let payload):
      if let stream = streams[frame.streamID] {
        // gRPC clients don't send trailers, but may.
        if payload.endStream, !stream.isEnded { receiveEnd(of: stream) }
      } else {
        lastStreamID = frame.streamID
        open(frame.streamID, payload)
      }
    default: break
    }
    if let handshakeTimer {
      handshakeTimer.cancel()
      self.handshakeTimer = nil
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    for stream in fresh where !stream.isEnded { arm(stream) }
    fresh.removeAll(keepingCapacity: true)
    context.flush()
    context.fireChannelReadComplete()
  }

  /// Reads from the channel, unless the client doesn't read its answers.
  func read(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      context.read()
    } else {
      isReadDelayed = true
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, isReadDelayed {
      isReadDelayed = false
      context.read()
    }
    context.fireChannelWritabilityChanged()
  }

  func isAllowed(_ authority: String) -> Bool {
    if authority == allowedAuthority { return true }
    guard server.isAllowed(authority) else { return false }
    allowedAuthority = authority
    return true
  }

  /// Returns the handle of a call. Use it only during the call's life.
  func handle(of stream: RPCStream) -> CallHandle {
    guard let context else { preconditionFailure("a call without a connection") }
    return CallHandle(self, stream, on: context.eventLoop)
  }

  // MARK: Writing

  func write(
    _ payload: HTTP2Frame.FramePayload,
    on id: HTTP2StreamID,
    promise: EventLoopPromise<Void>? = nil
  ) {
    guard let context else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: promise)
  }

  /// Flushes once for all writes in this turn of the event loop.
  func flushSoon() {
    guard !isReading, !isFlushScheduled, let context else { return }
    isFlushScheduled = true
    context.eventLoop.assumeIsolated().execute {
      self.isFlushScheduled = false
      self.context?.flush()
    }
  }

  private func grantConnectionWindow(_ size: Int) {
    let target = server.limits.connectionWindow
    guard size <= target / 2 else { return }
    write(.windowUpdate(windowSizeIncrement: target - size), on: .rootStream)
    flushSoon()
  }
}
