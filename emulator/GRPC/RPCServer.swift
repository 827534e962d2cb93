import HTTPServer
package import NIOCore
import NIOHTTP2

/// gRPC over cleartext HTTP/2, for connections that somebody else accepted.
package struct RPCServer: HTTP2Server {
  let service: any RPCService
  let limits: RPCLimits
  /// Whether the `:authority` a client names is ours.
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
    // Clients send a PING for about every burst of data, cancel calls as they like, and some end a
    // stream with an empty frame: NIO's own limits are for servers on the internet.
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

/// How much of what one connection may use.
package struct RPCLimits: Sendable {
  /// Of a message: Firestore's 10 MiB and some room for what is around.
  package var messageBytes = 11 * 1024 * 1024
  package var metadataBytes = 64 * 1024
  package var concurrentCalls = 1_000
  /// What a client may send of one call that nobody has read.
  package var streamWindow = 1 << 20
  /// What a client may send in all before it hears from us.
  package var connectionWindow = 4 << 20
  /// Requests held that aren't whole, or that no handler has read.
  package var heldRequestBytes = 128 << 20
  /// Answers held that the client doesn't read.
  package var heldAnswerBytes = 256 << 20
  /// What a streaming handler may write ahead of its client.
  package var writeAheadBytes = 256 << 10
  package var controlFramesPerSecond = 10_000
  package var resetsPerSecond = 2_000
  /// From a connection's first bytes to its first frame.
  package var handshakeTime = Duration.seconds(10)
  /// From a request's begin to its end, if the client sets no deadline.
  package var requestTime = Duration.seconds(60)
  /// What calls under way have when the server ends.
  package var shutdownGrace = Duration.milliseconds(900)

  package init() {}
}

/// Knows whether a connection has been told that it is over: NIO reports the errors of a stream and
/// those of a connection alike, and only the latter come with a GOAWAY.
final class GoAwayWatch: NIOHTTP2FrameDelegate {
  private(set) var hasSeenError = false

  func wroteFrame(_ frame: HTTP2Frame) {
    if case .goAway(_, let code, _) = frame.payload, code != .noError { hasSeenError = true }
  }
}
