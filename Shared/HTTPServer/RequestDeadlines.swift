import NIOCore
import NIOHTTP1
import RPCStatus

/// Ends connections whose requests don't come to their end, before they are parsed: who sends a
/// byte a second, or a body for ever, has one connection for some seconds, and no more. When the
/// server ends, they have to ask another one at once.
final class RequestDeadlines: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let limits: ConnectionLimits
  private let progress: RequestProgress
  private let onRefusal: @Sendable (RefusedRequest) -> Void
  private var timer: Scheduled<Void>?
  private var refusal: RefusedRequest?
  /// The phase the timer is for.
  private var timed = RequestProgress.Phase.idle

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
    let bytes = unwrapInboundIn(data)
    switch progress.phase {
    case .over: return
    case .idle:
      progress.phase = .head
      progress.hasAnswer = false
      progress.isHead = false
      if bytes.readableBytesView.starts(with: "PRI ".utf8) {
        let error = StatusError(.unimplemented, "HTTP/2 is not served")
        return refuse(context, status: 505, error)
      }
    case .head, .body, .answering: break
    }
    context.fireChannelRead(data)
    switch progress.phase {
    case .head where timed != .head: start(.head, limits.headTime, context)
    case .body where timed != .body: start(.body, limits.bodyTime, context)
    case .answering, .idle: stop()
    case .head, .body, .over: break
    }
  }

  private func start(
    _ phase: RequestProgress.Phase,
    _ time: Duration,
    _ context: ChannelHandlerContext
  ) {
    timer?.cancel()
    timed = phase
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
      guard self.progress.phase == phase else { return }
      let error = StatusError(.deadlineExceeded, "the request took too long")
      self.refuse(context, status: 408, error)
    }
  }

  private func stop() {
    guard timer != nil else { return }
    timer?.cancel()
    timer = nil
    timed = .idle
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
    self.refusal = refusal
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
    onRefusal(refusal)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch (event, progress.phase) {
    // Of a request that isn't whole nobody has heard. Those before it are answered first.
    case (is ChannelShouldQuiesceEvent, .head), (is ChannelShouldQuiesceEvent, .body):
      guard progress.unanswered == 0, !progress.hasAnswer else { break }
      let error = StatusError(.unavailable, "the server ends", retryAfter: .seconds(1))
      return refuse(context, status: error.code.httpStatus, error)
    case (ChannelEvent.inputClosed, _) where refusal != nil:
      return context.close(promise: nil)
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    // Whoever waits for the request's rest knows by this that it is answered.
    if let refusal { context.fireErrorCaught(refusal) }
    context.fireChannelInactive()
  }
}
