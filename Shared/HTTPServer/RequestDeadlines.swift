import Core
import NIOCore
import NIOHTTP1

/// A handler before the parser that closes connections whose requests arrive too slowly.
///
/// So a client that sends one byte per second, or an endless body, occupies a connection only for a
/// limited time. At shutdown, incomplete requests are refused at once, so that clients retry with
/// another server.
///
/// While an earlier request has no response, the time limits don't apply.
final class RequestDeadlines: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let limits: ConnectionLimits
  private let progress: RequestProgress
  private let onRefusal: @Sendable (RefusedRequest) -> Void
  private var timer: Scheduled<Void>?
  private var hasRefused = false
  /// The phase to which the running timer applies; `idle` if no timer runs.
  private var timed = RequestProgress.Phase.idle
  private var serverEnds = false
  /// A Boolean value that indicates whether the client closed its side within a request's head.
  private var inputEnds = false

  init(
    _ limits: ConnectionLimits,
    _ progress: RequestProgress,
    onRefusal: @escaping @Sendable (RefusedRequest) -> Void
  ) {
    self.limits = limits
    self.progress = progress
    self.onRefusal = onRefusal
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if progress.phase == .idle, progress.unanswered == 0,
      bytes.readableBytesView.starts(with: "PRI ".utf8)
    {
      let error = StatusError(.unimplemented, "this port doesn't support HTTP/2")
      return refuse(context, status: 505, error)
    }
    // The parser doesn't report that a head has begun. So find the last byte that isn't part of a
    // line end, and pass on the bytes before it. If no request is in progress after them, that byte
    // is within a new request's head.
    if let last = bytes.readableBytesView.lastIndex(where: { $0 != 0x0A && $0 != 0x0D }) {
      let before = last - bytes.readerIndex
      if before > 0, let beginning = bytes.readSlice(length: before) { pass(beginning, context) }
      if progress.phase == .idle { progress.phase = .head }
    }
    pass(bytes, context)
    setTimer(context)
  }

  private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    if progress.phase != .over { context.fireChannelRead(wrapInboundOut(bytes)) }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext,
    event: Any,
    promise: EventLoopPromise<Void>?
  ) {
    guard event is RestIsAwaited else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    if inputEnds {
      refuseHalfHead(context)
    } else if serverEnds {
      refuseAtEnd(context)
    } else {
      setTimer(context)
    }
    promise?.succeed()
  }

  /// Starts the timer for the part of a request that is awaited, or stops it if no part is.
  private func setTimer(_ context: ChannelHandlerContext) {
    guard progress.phase != .over else { return }
    let phase = progress.awaitsRest ? progress.phase : .idle
    guard phase != timed else { return }
    timer?.cancel()
    timer = nil
    timed = phase
    guard phase != .idle else { return }
    let time = phase == .head ? limits.headTime : limits.bodyTime
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
      guard self.progress.awaitsRest, self.progress.phase == phase else { return }
      let error = StatusError(.deadlineExceeded, "the request took too long")
      self.refuse(context, status: 408, error)
    }
  }

  /// Refuses an incomplete request at shutdown. The client can retry safely, because the service
  /// hasn't received the request.
  private func refuseAtEnd(_ context: ChannelHandlerContext) {
    let error = StatusError(.unavailable, "the server is shutting down", retryAfter: .seconds(1))
    refuse(context, status: error.code.httpStatus, error)
  }

  private func refuseHalfHead(_ context: ChannelHandlerContext) {
    let error = StatusError(.invalidArgument, "the request's header section is incomplete")
    refuse(context, status: 400, error)
    context.close(promise: nil)
  }

  /// Sends an error and closes the connection. If a response has begun, only closes the connection.
  private func refuse(
    _ context: ChannelHandlerContext,
    status: Int,
    _ error: StatusError
  ) {
    let hasAnswer = progress.hasAnswer
    progress.phase = .over
    guard !hasAnswer else { return context.close(promise: nil) }
    let refusal = RefusedRequest(status: status, error: error, headers: [:])
    hasRefused = true
    onRefusal(refusal)
    let (head, body) = refusal.answer
    let fields = head.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    var bytes = ByteBuffer(string: "\(head.version) \(head.status)\r\n\(fields)\r\n")
    if !progress.isHead { bytes.writeImmutableBuffer(body) }
    context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    // Close only the output. Closing the input while the client still sends would reset the
    // connection, and the client would lose the response.
    context.close(mode: .output, promise: nil)
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.lingering)) {
      context.close(promise: nil)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      serverEnds = true
      if progress.awaitsRest, !progress.hasAnswer { return refuseAtEnd(context) }
    case ChannelEvent.inputClosed where hasRefused:
      return context.close(promise: nil)
    // Refuse the request here, because the parser's error has no reason.
    case ChannelEvent.inputClosed where progress.phase == .head:
      inputEnds = true
      if progress.awaitsRest { refuseHalfHead(context) }
      return
    case is IdleStateHandler.IdleStateEvent:
      let isIdle = progress.phase == .idle && progress.unanswered == 0
      if isIdle || progress.phase == .over { context.close(promise: nil) }
      // An incomplete request has its own time limits.
      if progress.unanswered == 0 { return }
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }
}
