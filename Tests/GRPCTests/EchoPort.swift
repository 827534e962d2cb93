import Core
import GRPC
import HTTPServer
import Logging
import Services

@testable import echoServer

/// Runs `body` with the port of a server in this process. The default service is the echo service.
func withEcho<Result: Sendable>(
  host: String = "127.0.0.1",
  limits: RPCLimits = RPCLimits(),
  timeouts: HTTPListener.Timeouts = .init(),
  allowedHosts: [String] = [],
  service: any RPCService = EchoService(),
  page: EchoPage = EchoPage(),
  _ body: (Int) async throws -> Result
) async throws -> Result {
  let (ports, onReady) = AsyncStream<Int>.makeStream()
  let policy = RequestGuard(allowedHosts: allowedHosts)
  let listener = HTTPListener(
    page,
    http2: RPCServer(service, limits: limits) { policy.admits(host: $0) },
    host: host,
    port: 0,
    policy: policy,
    timeouts: timeouts,
    logger: Logger(label: "echo") { _ in SwiftLogNoOpLogHandler() }
  ) { port in
    onReady.yield(port)
  }
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { onReady.finish() }
      try await listener.run()
    }
    defer { group.cancelAll() }
    for await port in ports { return try await body(port) }
    try await group.next()
    throw CancellationError()
  }
}

/// Runs `body` with a server in this process and an HTTP/2 connection to it.
func withEchoConnection<Result: Sendable>(
  limits: RPCLimits = RPCLimits(),
  service: any RPCService = EchoService(),
  _ body: @Sendable (inout HTTP2Connection) async throws -> Result
) async throws -> Result {
  try await withEcho(limits: limits, service: service) { port in
    try await HTTP2Connection.with(port: port) { connection in
      try await connection.begin()
      return try await body(&connection)
    }
  }
}
