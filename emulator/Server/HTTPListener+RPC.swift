package import GRPC
package import HTTPServer
package import HTTPService
package import Logging

extension HTTPListener {
  /// One port of the emulator.
  ///
  /// - Parameters:
  ///   - rpc: what gRPC clients find on the same port; nil is a port for HTTP/1.1 only.
  ///   - port: 0 picks a free one.
  ///   - fallsBackToFreePort: whether any other port will do if this one is taken.
  ///   - onReady: called with the port once it accepts.
  package init(
    _ service: any HTTPService,
    rpc: (any RPCService)? = nil,
    host: String,
    port: Int,
    fallsBackToFreePort: Bool = false,
    guard requestGuard: RequestGuard,
    rpcLimits: RPCLimits = RPCLimits(),
    patience: Patience = Patience(),
    logger: Logger,
    onReady: @escaping @Sendable (Int) async -> Void
  ) {
    var http2: HTTP2Setup?
    if let rpc {
      let server = RPCServer(rpc, limits: rpcLimits) { requestGuard.isAllowed(host: $0) }
      http2 = { try server.addHandlers(to: $0) }
    }
    self.init(
      service,
      http2: http2,
      host: host,
      port: port,
      fallsBackToFreePort: fallsBackToFreePort,
      portOption: "--\(service.name)-port",
      policy: requestGuard,
      patience: patience,
      logger: logger,
      onReady: onReady
    )
  }
}
