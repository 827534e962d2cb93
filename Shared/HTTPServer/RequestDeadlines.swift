import NIOCore
import RPCStatus

/// Ends connections whose requests don't come to their end, before they are parsed: who sends a
/// byte a second, or a body for ever, has one connection for some seconds, and no more.
final class RequestDeadlines: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let limits: ConnectionLimits
  private let progress: RequestProgress
  private let onRefusal: @Sendable (RefusedRequest) -> Void
  private var timer: Scheduled<Void>?
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
      if bytes.readableBytesView.starts(with: "PRI ".utf8) {
        let error = StatusError(.unimplemented, "HTTP/2 is not served")
        return refuse(context, status: 505, "HTTP Version Not Supported", error)
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
      self.refuse(context, status: 408, "Request Timeout", error)
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
    _ phrase: String,
    _ error: StatusError
  ) {
    let hasAnswer = progress.hasAnswer
    progress.phase = .over
    guard !hasAnswer else { return context.close(promise: nil) }
    let reason = error.message
    let answer = """
      HTTP/1.1 \(status) \(phrase)\r
      connection: close\r
      content-type: text/plain; charset=utf-8\r
      content-length: \(reason.utf8.count + 1)\r
      \r
      \(reason)

      """
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)))
      .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    onRefusal(RefusedRequest(status: status, error: error, headers: [:]))
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }
}
