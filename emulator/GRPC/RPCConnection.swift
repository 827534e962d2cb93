import Core
import NIOCore
import NIOHPACK
import NIOHTTP2

/// One client's connection: it turns HTTP/2 frames into calls and answers into frames.
///
/// It works on frames, without a channel for each stream: a unary call is three frames out for two
/// in, and everything on top of that would show.
final class RPCConnection: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame
  typealias OutboundIn = HTTP2Frame
  typealias OutboundOut = HTTP2Frame

  let server: RPCServer
  private let goAwayWatch: GoAwayWatch
  /// nil before and after the connection.
  var context: ChannelHandlerContext?
  var streams: [HTTP2StreamID: RPCStream] = [:]
  /// Calls that began since the last pause in reading: what isn't answered by then gets a timer.
  var fresh: [RPCStream] = []
  /// Bytes of requests and of answers that are held.
  var heldRequestBytes = 0
  var heldAnswerBytes = 0
  /// The authority that was let in last: a connection's calls all name the same.
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

  // MARK: Begin and end

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
    // HTTP/2 has no setting for the connection's own window: it begins at 65,535.
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
    // A stream with an error has been reset already, and doesn't concern the others.
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

  /// No new calls; those under way get a moment. A bidirectional one could go on for ever, so it
  /// is told at once: clients open it anew elsewhere.
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

  /// Closes when the last answer is out: a second GOAWAY follows it, and its being sent tells.
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
        // Trailers, which gRPC clients don't send but may.
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

  /// A client that doesn't take its answers is not read either.
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

  /// To be asked for within a call's life.
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

  /// One flush for all that is written in this turn of the event loop.
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
