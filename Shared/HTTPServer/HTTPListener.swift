import Core
package import HTTPService
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// One port: listening sockets in front of a service.
///
/// Whatever comes in passes a policy first.
package struct HTTPListener: Service {
  /// How long connections may keep the server waiting.
  package struct Patience: Sendable {
    /// From a connection's first byte until its protocol is known.
    package var protocolChoice = Duration.seconds(10)
    /// Between HTTP/1.1 requests; without limits also between the parts of one. As long may an
    /// answer be unread.
    package var http1 = Duration.seconds(75)
    /// How long a request under way has at the end; one whose body never comes would else hold up
    /// the end for ever.
    package var shutdown = Duration.seconds(1)
    /// How long the port stays open at the end. Whoever connects just then would else be cut off
    /// without an answer; the service refuses them.
    package var drainDelay = Duration.zero

    package init() {}
  }

  /// Who serves connections.
  package enum Threads: Sendable {
    /// Those of all ports that say nothing else: two, where there are two cores. A machine's every core
    /// would be threads, and memory, for nothing.
    case shared
    /// One that does nothing else, for a port that is a process's only one and mostly waits for other
    /// processes: two threads would take the cores from these, and from each other what is in the
    /// cores' caches.
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
  private let host: String
  private let port: Int
  private let fallsBackToFreePort: Bool
  private let portOption: String
  private let policy: any RequestPolicy
  private let patience: Patience
  private let limits: ConnectionLimits?
  private let threads: Threads
  private let connectionCount: ConnectionCount?
  private let unread: UnreadResponses
  private let logger: Logger
  private let onRefusal: @Sendable (RefusedRequest) -> Void
  private let onReady: @Sendable (Int) async -> Void

  /// - Parameters:
  ///   - http2: serves clients that speak HTTP/2 with prior knowledge, as those of gRPC do; nil is a
  ///     port for HTTP/1.1 only.
  ///   - port: 0 picks a free one.
  ///   - portOption: the option that names another port, for messages.
  ///   - fallsBackToFreePort: whether any other port will do if this one is taken.
  ///   - limits: of each connection, where anybody may connect; nil for none.
  ///   - unread: bounds what all connections hold for their clients.
  ///   - onRefusal: told of requests that the service hears nothing of.
  ///   - onReady: called with the port once clients can connect; they are served when it returns.
  package init(
    _ service: any HTTPService,
    http2: (any HTTP2Server)? = nil,
    host: String,
    port: Int,
    fallsBackToFreePort: Bool = false,
    portOption: String = "--port",
    policy: any RequestPolicy,
    patience: Patience = Patience(),
    limits: ConnectionLimits? = nil,
    threads: Threads = .shared,
    unread: UnreadResponses = .shared,
    logger: Logger,
    onRefusal: @escaping @Sendable (RefusedRequest) -> Void = { _ in },
    onReady: @escaping @Sendable (Int) async -> Void
  ) {
    self.service = service
    self.http2 = http2
    self.host = host
    self.port = port
    self.fallsBackToFreePort = fallsBackToFreePort
    self.portOption = portOption
    self.policy = policy
    self.patience = patience
    self.limits = limits
    self.threads = threads
    self.unread = unread
    connectionCount = limits.map { ConnectionCount(limit: $0.connections) }
    self.logger = logger
    self.onRefusal = onRefusal
    self.onReady = onReady
  }

  /// - Throws: `FAILED_PRECONDITION` if the port can't be had, saying how to choose another.
  package func run() async throws {
    let (connections, sink) = AsyncStream<HTTPConnection>.makeStream()
    let listening = try await listen { channel in try setUp(channel, connections: sink) }
    await onReady(listening.port)
    try await listening.accept()
    await withTaskGroup(of: Void.self) { group in
      // On the pool that tasks run on otherwise, a new connection would wait for what takes long there.
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
        try? await Task.sleep(for: patience.drainDelay)
        await listening.shutDown()
        sink.finish()
      }
      group.addTask {
        try? await gracefulShutdown()
        try? await Task.sleep(for: patience.shutdown)
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
          "port \(port) on \(host) is in use; choose another with \(portOption), or 0"
        )
      }
      return try await listen(on: 0)
    }
  }

  /// A connection was accepted.
  private func setUp(
    _ channel: any Channel,
    connections: AsyncStream<HTTPConnection>.Continuation
  ) throws {
    if let connectionCount, !connectionCount.admit(channel) {
      throw StatusError(.resourceExhausted, "there are enough connections")
    }
    let speakHTTP1 = {
      let connection = try HTTPConnection(
        on: channel,
        policy: policy,
        limits: limits,
        idleTime: patience.http1,
        unread: unread,
        onRefusal: onRefusal
      )
      // Too late, if nobody takes it any more.
      if case .terminated = connections.yield(connection) { channel.close(promise: nil) }
    }
    guard let http2 else { return try speakHTTP1() }
    let sniffer = ProtocolSniffer(patience: patience.protocolChoice) { kind in
      switch kind {
      case .http1: try speakHTTP1()
      case .http2: try http2.addHandlers(to: channel)
      }
    }
    try channel.pipeline.syncOperations.addHandler(sniffer)
  }
}
