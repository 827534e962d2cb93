import Core
import GRPC
import HTTPServer
import Logging
import NIOPosix
import ServiceLifecycle
import Services

/// A gRPC server with trivial methods, for other clients and for load generators.
///
/// The server prints its port. It ends when its stdin is closed.
@main
enum EchoServer {
  static func main() async throws {
    let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 0
    let policy = RequestGuard()
    let listener = HTTPListener(
      EchoPage(),
      http2: RPCServer(EchoService()) { policy.admits(host: $0) },
      host: "localhost",
      port: port,
      policy: policy,
      logger: Logger(label: "echo")
    ) { port in
      writeAll("\(port)\n".utf8, to: STDOUT_FILENO)
    }
    let untilEnd = EndOfInput()
    try await ServiceGroup(
      configuration: .init(
        services: [
          .init(service: listener),
          .init(service: untilEnd, successTerminationBehavior: .gracefullyShutdownGroup),
        ],
        gracefulShutdownSignals: [],
        logger: Logger(label: "echo")
      )
    ).run()
  }
}

private struct EndOfInput: Service {
  func run() async throws {
    try await NIOThreadPool.singleton.runIfActive {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
    }
  }
}
