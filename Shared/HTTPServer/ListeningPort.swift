import Core
import Logging
import NIOCore
import NIOExtras
import NIOPosix

/// The listening sockets of one port, on every address of its host.
///
/// Some clients resolve `localhost` to `::1`, others to 127.0.0.1. A client that first tries an
/// address without a listener loses a second. So a loopback port is bound on both addresses. Until
/// `accept` is called, connections wait in the backlog.
struct ListeningPort {
  private struct Socket {
    var channel: any Channel
    var quiescing: ServerQuiescingHelper
  }

  /// The maximum number of ports to try until one is free on both addresses.
  private static let attempts = 16
  private static let backlog: CInt = 1_024

  private let sockets: [Socket]

  /// Creates the sockets of a port and binds them.
  ///
  /// - Parameters:
  ///   - port: The port's number; 0 picks one that is free on all addresses.
  ///   - threads: The threads that serve the connections.
  ///   - setUp: Prepares an accepted connection. It is called on the connection's event loop.
  /// - Throws: `IOError` if an address can't be bound.
  init(
    host: String,
    port: Int,
    threads: MultiThreadedEventLoopGroup,
    logger: Logger,
    setUp: @escaping @Sendable (any Channel) throws -> Void
  ) async throws {
    let bind: Bind = { try await Self.bind($0, $1, threads, logger, setUp) }
    var attempt = 1
    while true {
      do {
        sockets = try await Self.sockets(host: host, port: port, logger, bind)
        return
      } catch let error as IOError {
        let isTaken = error.errnoCode == EADDRINUSE
        guard port == 0, isTaken, attempt < Self.attempts else { throw error }
        attempt += 1
      }
    }
  }

  private typealias Bind = (_ address: String, _ port: Int) async throws -> Socket

  private static func sockets(
    host: String,
    port: Int,
    _ logger: Logger,
    _ bind: Bind
  ) async throws -> [Socket] {
    guard ["localhost", "127.0.0.1"].contains(host) else { return [try await bind(host, port)] }
    let first = try await bind("127.0.0.1", port)
    do {
      return [first, try await bind("::1", first.channel.localAddress?.port ?? port)]
    } catch let error as IOError {
      // Containers often have no IPv6.
      if [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
        logger.debug("IPv6 loopback ::1 not available, listening on IPv4 only")
        return [first]
      }
      try await first.channel.close()
      throw error
    }
  }

  private static func bind(
    _ address: String,
    _ port: Int,
    _ threads: MultiThreadedEventLoopGroup,
    _ logger: Logger,
    _ setUp: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> Socket {
    let quiescing = ServerQuiescingHelper(group: threads)
    let bootstrap = ServerBootstrap(group: threads)
      .serverChannelOption(.backlog, value: backlog)
      .serverChannelOption(.autoRead, value: false)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            AcceptPause(logger), quiescing.makeServerChannelHandler(channel: channel),
          ])
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try setUp(channel) }
      }
    // A name is looked up; an address isn't, because a machine without IPv6 finds no `::1`.
    let literal = try? SocketAddress(ipAddress: address, port: port)
    let bound = literal.map { bootstrap.bind(to: $0) } ?? bootstrap.bind(host: address, port: port)
    let channel = try await bound.get()
    return Socket(channel: channel, quiescing: quiescing)
  }

  /// The event loop of one of the threads that serve connections.
  var eventLoop: (any EventLoop)? { sockets.first?.channel.eventLoop }

  var port: Int { sockets.first?.channel.localAddress?.port ?? 0 }

  /// Starts to accept connections, beginning with those in the backlog.
  func accept() async throws {
    for socket in sockets { try await socket.channel.setOption(.autoRead, value: true).get() }
  }

  /// Stops accepting connections, asks the open ones to end, and waits until all have ended.
  func shutDown() async {
    let ends = sockets.map { socket in
      let end = socket.channel.eventLoop.makePromise(of: Void.self)
      socket.quiescing.initiateShutdown(promise: end)
      return end.futureResult
    }
    for end in ends { try? await end.get() }
  }
}
