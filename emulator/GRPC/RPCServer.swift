import HTTPServer
package import NIOCore
import NIOHTTP2

/// A gRPC server over cleartext HTTP/2, for connections that another component has accepted.
package struct RPCServer: HTTP2Server {
  let service: any RPCService
  let limits: RPCLimits
  /// A closure that returns whether a client's `:authority` is allowed.
  let isAllowed: @Sendable (String) -> Bool

  package init(
    _ service: any RPCService,
    limits: RPCLimits = RPCLimits(),
    isAllowed: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.service = service
    self.limits = limits
    self.isAllowed = isAllowed
  }

  package func addHandlers(to channel: any Channel) throws {
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.concurrentCalls),
      HTTP2Setting(parameter: .initialWindowSize, value: limits.streamWindow),
      HTTP2Setting(parameter: .maxHeaderListSize, value: limits.metadataBytes),
    ]
    // Clients send a PING for about every burst of data, cancel calls freely, and some end a stream
    // with an empty frame. NIO's own limits are meant for servers on the internet.
    connection.maximumSequentialEmptyDataFrames = 16
    connection.maximumRecentlyResetStreams = limits.concurrentCalls
    connection.maximumConnectionGlitches = 10_000
    connection.controlFrameRateLimit.maximumCount = limits.controlFramesPerSecond
    connection.controlFrameRateLimit.windowLength = .seconds(1)
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.streamResetFrameRateLimit.maximumCount = limits.resetsPerSecond
    stream.streamResetFrameRateLimit.windowLength = .seconds(1)
    stream.streamErrorRateLimit.maximumCount = limits.resetsPerSecond
    stream.streamErrorRateLimit.windowLength = .seconds(1)
    let watch = GoAwayWatch()
    try channel.pipeline.syncOperations.addHandlers(
      NIOHTTP2Handler(
        mode: .server,
        frameDelegate: watch,
        connectionConfiguration: connection,
        streamConfiguration: stream
      ),
      RPCConnection(self, goAwayWatch: watch)
    )
  }
}

/// The limits of one connection.
package struct RPCLimits: Sendable {
  /// The maximum bytes of a message: Firestore's 10 MiB and some room for the rest of the message.
  package var messageBytes = 11 * 1024 * 1024
  package var metadataBytes = 64 * 1024
  package var concurrentCalls = 1_000
  /// The bytes of one call that a client may send before they are read.
  package var streamWindow = 1 << 20
  /// The bytes of all calls that a client may send before its window is extended.
  package var connectionWindow = 4 << 20
  /// The maximum bytes of requests that are incomplete, or that no handler has read.
  package var heldRequestBytes = 128 << 20
  /// The maximum bytes of answers that the client doesn't read.
  package var heldResponseBytes = 256 << 20
  /// The bytes that a streaming handler may write before its client reads.
  package var writeAheadBytes = 256 << 10
  package var controlFramesPerSecond = 10_000
  package var resetsPerSecond = 2_000
  /// The time from a connection's first bytes to its first frame.
  package var handshakeTime = Duration.seconds(10)
  /// The time from a request's beginning to its end, if the client sets no deadline.
  package var requestTime = Duration.seconds(60)
  /// The time that active calls get when the server shuts down.
  package var shutdownGrace = Duration.milliseconds(900)

  package init() {}
}

/// A delegate that detects whether a connection has failed.
///
/// NIO reports errors of streams and of connections alike, but only the latter come with a GOAWAY.
final class GoAwayWatch: NIOHTTP2FrameDelegate {
  private(set) var hasSeenError = false

  func wroteFrame(_ frame: HTTP2Frame) {
    if case .goAway(_, let code, _) = frame.payload, code != .noError { hasSeenError = true }
  }
}
