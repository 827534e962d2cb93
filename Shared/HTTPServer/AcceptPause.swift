import Core
import Logging
import NIOCore

/// A pause of a port that can accept no connection for want of descriptors or memory.
///
/// The connection stays in the system's queue, and NIO would try again at once, for ever.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let duration = TimeAmount.seconds(1)
  /// The time in which it is logged once.
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
    // Only without it does the channel stop looking.
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
      no connection can be accepted until others end: end some, or allow more open files with \
      ulimit -n
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
