import Core
import NIOCore
import NIOHTTP1

/// Ends connections whose requests don't come to their end, before they are parsed: who sends a
/// byte a second, or a body for ever, has one connection for some seconds, and no more. When the
/// server ends, they have to ask another one at once.
///
/// While a request before it has no answer, a request's time doesn't run.
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
  /// The phase the timer is for.
  private var timed = RequestProgress.Phase.idle
  private var serverEnds = false
  /// Whether half a head is all that comes.
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
      let error = StatusError(.unimplemented, "HTTP/2 is not served")
      return refuse(context, status: 505, error)
    }
    // The parser doesn't say that a head has begun. Its beginning is there if nothing is under way
    // before the last byte that is no line end: that byte then belongs to a request of its own.
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

  /// Has the clock run for what is awaited, and for nothing else.
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

  /// Of a request that isn't whole nobody has heard.
  private func refuseAtEnd(_ context: ChannelHandlerContext) {
    let error = StatusError(.unavailable, "the server ends", retryAfter: .seconds(1))
    refuse(context, status: error.code.httpStatus, error)
  }

  private func refuseHalfHead(_ context: ChannelHandlerContext) {
    refuse(context, status: 400, StatusError(.invalidArgument, "the request's head has no end"))
    context.close(promise: nil)
  }

  /// Answers, unless there is an answer already, and closes.
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
    // Not all of it: a side that still sends would lose the answer with the connection.
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
    // The parser's own answer would say nothing.
    case ChannelEvent.inputClosed where progress.phase == .head:
      inputEnds = true
      if progress.awaitsRest { refuseHalfHead(context) }
      return
    case is IdleStateHandler.IdleStateEvent:
      let isIdle = progress.phase == .idle && progress.unanswered == 0
      if isIdle || progress.phase == .over { context.close(promise: nil) }
      // A request that isn't whole has its own limits.
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
