import Core
package import HTTPService
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// A listener on a port: its sockets, a policy that filters requests, and the service that answers
/// them.
package struct HTTPListener: Service {
  /// The timeouts of connections, and of the shutdown.
  package struct Timeouts: Sendable {
    /// The maximum time from a connection's first byte until its protocol is known.
    package var protocolChoice = Duration.seconds(10)
    /// The maximum idle time between HTTP/1.1 requests, and without `limits` also within a request.
    /// A response may stay unread for the same time.
    package var http1 = Duration.seconds(75)
    /// The time limit for requests in progress at shutdown. Without a limit, a request whose body
    /// never arrives would block the shutdown for ever.
    package var shutdown = Duration.seconds(1)
    /// The time for which the port stays open at shutdown, while the service refuses requests.
    /// Without it, clients that connect at that moment would get no response.
    package var drainDelay = Duration.zero

    package init() {}
  }

  /// The threads that serve connections.
  package enum Threads: Sendable {
    /// The default: threads that all ports of the process share. There are two, or one on a machine
    /// with one core. More threads would only use more memory.
    case shared
    /// One thread, for a process that has one port and mostly waits for other processes. A second
    /// thread would compete with those processes for cores and caches.
    case single

    private static let sharedGroup = MultiThreadedEventLoopGroup(
      numberOfThreads: min(2, System.coreCount)
    )
    private static let singleGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    fileprivate var group: MultiThreadedEventLoopGroup {
      switch self {
      case .shared: Self.sharedGroup
      case .single: Self.singleGroup
      }
    }
  }

  private let service: any HTTPService
  private let http2: (any HTTP2Server)?
  private let webSockets: (any WebSocketServer)?
  private let host: String
  private let port: Int
  private let fallsBackToFreePort: Bool
  private let portOption: String
  private let policy: any RequestPolicy
  private let timeouts: Timeouts
  private let limits: ConnectionLimits?
  private let threads: Threads
  private let connectionCount: ConnectionCount?
  private let unread: UnreadResponses
  private let logger: Logger
  private let onRefusal: @Sendable (RefusedRequest) -> Void
  private let onReady: @Sendable (Int) async -> Void

  /// - Parameters:
  ///   - http2: The server for clients that use HTTP/2 with prior knowledge, such as gRPC's, or
  ///     `nil` for HTTP/1.1 only.
  ///   - webSockets: The server of WebSocket connections, or `nil` for none.
  ///   - port: The port's number; 0 picks a free one.
  ///   - portOption: The command-line option that sets the port. Error messages name it.
  ///   - fallsBackToFreePort: Whether to pick a free port if this one is taken.
  ///   - limits: The limits of connections, for a port that other machines can reach, or `nil` for
  ///     no limits.
  ///   - unread: The limit on the response bytes that clients of all connections haven't read.
  ///   - onRefusal: Called with requests that are refused before they reach the service.
  ///   - onReady: Called with the port's number when clients can connect. Connections are accepted
  ///     after it returns.
  package init(
    _ service: any HTTPService,
    http2: (any HTTP2Server)? = nil,
    webSockets: (any WebSocketServer)? = nil,
    host: String,
    port: Int,
    fallsBackToFreePort: Bool = false,
    portOption: String = "--port",
    policy: any RequestPolicy,
    timeouts: Timeouts = Timeouts(),
    limits: ConnectionLimits? = nil,
    threads: Threads = .shared,
    unread: UnreadResponses = .shared,
    logger: Logger,
    onRefusal: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
    onReady: @escaping @Sendable (Int) async -> Void
  ) {
    self.service = service
    self.http2 = http2
    self.webSockets = webSockets
    self.host = host
    self.port = port
    self.fallsBackToFreePort = fallsBackToFreePort
    self.portOption = portOption
    self.policy = policy
    self.timeouts = timeouts
    self.limits = limits
    self.threads = threads
    self.unread = unread
    connectionCount = limits.map { ConnectionCount(limit: $0.connections) }
    self.logger = logger
    self.onRefusal = onRefusal
    self.onReady = onReady
  }

  /// Serves connections until graceful shutdown.
  ///
  /// - Throws: `FAILED_PRECONDITION` if the port can't be bound. If the port is in use, the message
  ///   says how to choose another.
  package func run() async throws {
    let (connections, sink) = AsyncStream<HTTPConnection>.makeStream()
    let listening = try await listen { channel in try setUp(channel, connections: sink) }
    await onReady(listening.port)
    try await listening.accept()
    await withTaskGroup(of: Void.self) { group in
      // Don't use the default pool: there, a new connection would wait until long-running tasks
      // suspend.
      let executor = listening.eventLoop.map(EventLoopExecutor.init)
      group.addTask(executorPreference: executor) {
        let responder = HTTPResponder(service: service, onRefusal: onRefusal)
        await withDiscardingTaskGroup { group in
          for await connection in connections {
            group.addTask(executorPreference: EventLoopExecutor(connection.channel.eventLoop)) {
              await connection.serve(responder)
            }
          }
        }
      }
      group.addTask {
        try? await gracefulShutdown()
        try? await Task.sleep(for: timeouts.drainDelay)
        await listening.shutDown()
        sink.finish()
      }
      group.addTask {
        try? await gracefulShutdown()
        try? await Task.sleep(for: timeouts.shutdown)
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func listen(
    _ setUp: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> ListeningPort {
    func listen(on port: Int) async throws -> ListeningPort {
      try await ListeningPort(
        host: host,
        port: port,
        threads: threads.group,
        logger: logger,
        setUp: setUp
      )
    }
    do {
      return try await listen(on: port)
    } catch let error as IOError {
      guard error.errnoCode == EADDRINUSE else {
        let reason = String(cString: strerror(error.errnoCode))
        throw StatusError(
          .failedPrecondition,
          "\(service.name) can't listen on \(host):\(port): \(reason)"
        )
      }
      guard fallsBackToFreePort else {
        throw StatusError(
          .failedPrecondition,
          "port \(port) on \(host) is in use; choose another with \(portOption), or 0 for any"
        )
      }
      let listening = try await listen(on: 0)
      logger.warning(
        "port \(port) is in use: \(service.name) is on port \(listening.port); choose one with \(portOption)"
      )
      return listening
    }
  }

  /// Sets up an accepted connection.
  private func setUp(
    _ channel: any Channel,
    connections: AsyncStream<HTTPConnection>.Continuation
  ) throws {
    if let connectionCount, !connectionCount.admit(channel) {
      throw StatusError(.resourceExhausted, "connection limit reached")
    }
    let speakHTTP1 = {
      let connection = try HTTPConnection(
        on: channel,
        policy: policy,
        streamsBody: service.streamsBody,
        webSockets: webSockets,
        limits: limits,
        idleTime: timeouts.http1,
        unread: unread,
        onRefusal: onRefusal
      )
      // After the shutdown, no task reads from the stream, so close the connection.
      if case .terminated = connections.yield(connection) { channel.close(promise: nil) }
    }
    guard let http2 else { return try speakHTTP1() }
    let sniffer = ProtocolSniffer(timeout: timeouts.protocolChoice) { kind in
      switch kind {
      case .http1: try speakHTTP1()
      case .http2: try http2.addHandlers(to: channel)
      }
    }
    try channel.pipeline.syncOperations.addHandler(sniffer)
  }
}
