import Core
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A client's connection. It converts received HTTP/2 frames to calls, and responses to frames.
///
/// It handles frames directly, without a NIO channel for each stream. A unary call receives two
/// frames and sends three, so the time that channels take would be noticeable.
final class RPCConnection: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  let server: RPCServer
  private let goAwayWatch: GoAwayWatch
  /// The channel's context, or `nil` before the connection begins and after it has ended.
  var context: ChannelHandlerContext?
  var streams: [HTTP2StreamID: RPCStream] = [:]
  /// The calls that began in the current series of reads. After the series, each unfinished call
  /// gets a timer.
  var fresh: [RPCStream] = []
  /// The number of bytes of unfinished requests in memory.
  var heldRequestBytes = 0
  /// The number of bytes of unsent responses in memory.
  var heldResponseBytes = 0
  /// The last `:authority` that was allowed, which isn't checked again. Usually, all calls of a
  /// connection have the same one.
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
    // The connection's window begins at 65,535 bytes, and HTTP/2 has no setting to change that.
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
    // A stream with an error has already been reset, and doesn't affect the other streams.
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

  /// Stops accepting calls, and gives active calls the time `shutdownGrace` to end.
  ///
  /// A bidirectional call could last forever, so it ends at once, and its client retries on another
  /// connection.
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

  /// If the server is shutting down and no calls are left, sends a second GOAWAY and closes the
  /// connection.
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
        // gRPC clients don't send trailers, but HTTP/2 allows them.
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

  /// Reads from the channel. If the client doesn't read its responses, reading waits until it does.
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

  /// Returns the handle of a call. Call this only while the call's connection exists.
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

  /// Schedules one flush for all writes in this turn of the event loop.
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
