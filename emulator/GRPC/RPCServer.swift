import HTTPServer
package import NIOCore
import NIOHTTP2

/// A gRPC server over unencrypted HTTP/2. Another component accepts the connections.
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
    // NIO's default limits are for servers on the internet. gRPC clients exceed them: they send a
    // PING with nearly every burst of data, cancel many calls, and sometimes end a stream with an
    // empty frame.
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

/// The limits of each connection.
package struct RPCLimits: Sendable {
  /// The maximum size of a message in bytes: Firestore's limit of 10 MiB for the data, and 1 MiB
  /// more for the rest of the message.
  package var messageBytes = 11 * 1024 * 1024
  package var metadataBytes = 64 * 1024
  package var concurrentCalls = 1_000
  /// The number of unread bytes that a client may send on one stream.
  package var streamWindow = 1 << 20
  /// The number of bytes that a client may send on all streams before the connection's window is
  /// extended.
  package var connectionWindow = 4 << 20
  /// The maximum number of bytes of requests that are incomplete or not yet read by a handler.
  package var heldRequestBytes = 128 << 20
  /// The maximum number of bytes of responses that wait for the client to read.
  package var heldResponseBytes = 256 << 20
  /// The number of unsent bytes above which a streaming handler has to wait.
  package var writeAheadBytes = 256 << 10
  package var controlFramesPerSecond = 10_000
  package var resetsPerSecond = 2_000
  /// The maximum time from a connection's first bytes to its first frame.
  package var handshakeTime = Duration.seconds(10)
  /// The maximum time from the beginning of a request to its end. An earlier deadline of the client
  /// ends the call sooner.
  package var requestTime = Duration.seconds(60)
  /// The time after which active calls are ended when the server shuts down.
  package var shutdownGrace = Duration.milliseconds(900)

  package init() {}
}

/// A delegate that detects errors of the whole connection.
///
/// NIO reports errors of single streams and of the connection in the same way, but sends a GOAWAY
/// frame only after an error of the connection.
final class GoAwayWatch: NIOHTTP2FrameDelegate {
  private(set) var hasSeenError = false

  func wroteFrame(_ frame: HTTP2Frame) {
    if case .goAway(_, let code, _) = frame.payload, code != .noError { hasSeenError = true }
  }
}
