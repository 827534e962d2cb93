import NIOCore

/// Ends connections whose requests don't come to their end, before they are parsed: who sends a
/// byte a second, or a body for ever, has one connection for some seconds, and no more.
///
/// Also refuses a header that goes on in the next line. Servers don't agree on what such a line
/// means, so it was abolished (RFC 9112, section 5.2), and the parser still takes it.
final class RequestDeadlines: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private static let lineFeed = UInt8(ascii: "\n")

  private let limits: ConnectionLimits
  private let progress: RequestProgress
  private var timer: Scheduled<Void>?
  /// The phase the timer is for.
  private var timed = RequestProgress.Phase.idle
  /// The last two bytes of a head that matter: whether a line has just ended, and was empty.
  private var isAtLineStart = false

  init(_ limits: ConnectionLimits, _ progress: RequestProgress) {
    self.limits = limits
    self.progress = progress
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    switch progress.phase {
    case .over: return
    case .idle:
      progress.phase = .head
      progress.hasAnswer = false
      isAtLineStart = false
      if bytes.readableBytesView.starts(with: "PRI ".utf8) {
        return refuse(context, status: "505 HTTP Version Not Supported", "HTTP/2 is not served")
      }
      start(.head, limits.headTime, context)
    case .head, .body, .answering: break
    }
    if progress.phase == .head, hasFoldedLine(bytes.readableBytesView) {
      return refuse(context, status: "400 Bad Request", "a header goes on in the next line")
    }
    context.fireChannelRead(data)
    switch progress.phase {
    case .body where timed != .body: start(.body, limits.bodyTime, context)
    case .answering, .idle: stop()
    case .head, .body, .over: break
    }
  }

  /// Whether a line of the head begins with a space or a tab. Looks no further than the head's end.
  private func hasFoldedLine(_ bytes: ByteBufferView) -> Bool {
    for byte in bytes {
      if isAtLineStart {
        if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { return true }
        if byte == UInt8(ascii: "\r") || byte == Self.lineFeed {
          // The empty line: the rest is body.
          isAtLineStart = false
          return false
        }
      }
      isAtLineStart = byte == Self.lineFeed
    }
    return false
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
      self.refuse(context, status: "408 Request Timeout", "the request took too long")
    }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    timed = .idle
  }

  /// Answers, unless there is an answer already, and closes.
  private func refuse(
    _ context: ChannelHandlerContext,
    status: String,
    _ reason: String
  ) {
    let hasAnswer = progress.hasAnswer
    progress.phase = .over
    guard !hasAnswer else { return context.close(promise: nil) }
    let answer = """
      HTTP/1.1 \(status)\r
      connection: close\r
      content-type: text/plain; charset=utf-8\r
      content-length: \(reason.utf8.count + 1)\r
      \r
      \(reason)

      """
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)))
      .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }
}
