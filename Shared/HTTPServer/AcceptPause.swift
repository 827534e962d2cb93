import Core
import Logging
import NIOCore

/// A handler that stops accepting connections for a second when there are no file descriptors or no
/// memory for new ones.
///
/// In the meantime new connections wait in the system's queue. Without the pause, NIO would retry
/// in a busy loop.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let duration = TimeAmount.seconds(1)
  /// The minimum time between two log lines.
  private static let silence = TimeAmount.minutes(1)

  private let logger: Logger
  private var lastLogged: NIODeadline?
  private var retry: Scheduled<Void>?

  init(_ logger: Logger) { self.logger = logger }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? IOError,
      [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode)
    else { return context.fireErrorCaught(error) }
    log(error, port: context.channel.localAddress?.port)
    guard retry == nil else { return }
    // Turn off automatic reading, so that the channel stops polling for connections.
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    retry = context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) {
      self.retry = nil
      try? context.channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }

  private func log(_ error: IOError, port: Int?) {
    let now = NIODeadline.now()
    if let lastLogged, now < lastLogged + Self.silence { return }
    lastLogged = now
    logger.error(
      """
      no connection can be accepted for lack of file descriptors or memory: close connections, or \
      raise the limit with ulimit -n
      """,
      metadata: [
        "error": "\(String(cString: strerror(error.errnoCode)))",
        "limit": "\(FileLimit.current)", "port": "\(port ?? 0)",
      ]
    )
  }

  func channelInactive(context: ChannelHandlerContext) {
    retry?.cancel()
    context.fireChannelInactive()
  }
}
