package import HTTPService
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import Platform
import RPCStatus
import ServiceLifecycle

/// One port of the emulator: a listening socket in front of one of its services.
///
/// Whatever comes in passes `RequestGuard` first, on every port alike.
package struct HTTPListener: Service {
  /// How long a request under way has at the end; one whose body never comes would else hold up
  /// the end for ever.
  private static let shutdownGrace = Duration.seconds(1)

  private let service: any HTTPService
  private let host: String
  private let port: Int
  private let fallsBackToFreePort: Bool
  private let requestGuard: RequestGuard
  private let sniffsProtocol: Bool
  private let logger: Logger
  private let onReady: @Sendable (Int) async -> Void

  /// - Parameters:
  ///   - port: 0 picks a free one.
  ///   - fallsBackToFreePort: whether any other port will do if this one is taken.
  ///   - sniffsProtocol: whether gRPC clients may come to this port too.
  ///   - onReady: called with the port once it accepts.
  package init(
    _ service: any HTTPService,
    host: String,
    port: Int,
    fallsBackToFreePort: Bool = false,
    guard requestGuard: RequestGuard,
    sniffsProtocol: Bool = false,
    logger: Logger,
    onReady: @escaping @Sendable (Int) async -> Void
  ) {
    self.service = service
    self.host = host
    self.port = port
    self.fallsBackToFreePort = fallsBackToFreePort
    self.requestGuard = requestGuard
    self.sniffsProtocol = sniffsProtocol
    self.logger = logger
    self.onReady = onReady
  }

  /// - Throws: `FAILED_PRECONDITION` if the port can't be had, saying how to choose another.
  package func run() async throws {
    do {
      try await listen(on: port)
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
          "port \(port) on \(host) is in use; choose another with --\(service.name)-port, or 0"
        )
      }
      try await listen(on: 0)
    }
  }

  private func listen(on port: Int) async throws {
    var logger = logger
    // The server's own lines about each connection are of no use to a developer.
    logger.logLevel = max(logger.logLevel, .critical)
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { [requestGuard, service] request, _ in
        await requestGuard.respond(to: request, with: service)
      },
      server: sniffsProtocol ? .sniffingProtocol() : .http1(),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { [onReady] channel in await onReady(channel.localAddress?.port ?? 0) },
      logger: logger
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await application.run() }
      group.addTask {
        try? await gracefulShutdown()
        try? await Task.sleep(for: Self.shutdownGrace)
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}
