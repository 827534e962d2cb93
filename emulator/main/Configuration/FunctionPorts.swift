import HTTPServer
import ServiceLifecycle
import Services

/// The functions' ports of the databases. Each function has a port of each database, besides the one
/// that all clients share.
///
/// A request to such a port is attributed to its function, even if it carries no trace context.
final class FunctionPorts: Service {
  /// The loopback address, since functions run on this machine.
  static let host = "127.0.0.1"

  private let components: EmulatorComponents
  private let (listeners, newListeners) = AsyncStream<HTTPListener>.makeStream()

  init(_ components: EmulatorComponents) { self.components = components }

  func run() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for await listener in listeners.cancelOnGracefulShutdown() {
        group.addTask { try await listener.run() }
      }
    }
  }

  /// Opens the ports of a service, one for each function, and returns their addresses by the
  /// function's name, once clients can connect.
  ///
  /// - Parameter protocols: Makes the servers of a function's port.
  /// - Throws: `CancellationError` if the emulator stops before all ports are open.
  func open(
    for functions: [String],
    _ protocols: (_ function: String) -> EmulatedService.Protocols
  ) async throws -> [String: Addresses.Address] {
    var addresses: [String: Addresses.Address] = [:]
    for function in functions {
      let (ports, opened) = AsyncStream<Int>.makeStream()
      let listener = components.listener(
        protocols(function),
        at: .init(host: Self.host, port: 0, isPortNegotiable: false)
      ) { opened.yield($0) }
      newListeners.yield(listener)
      guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
      addresses[function] = Addresses.Address(host: Self.host, port: port)
    }
    return addresses
  }
}
