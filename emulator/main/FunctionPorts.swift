import HTTPServer
import ServiceLifecycle
import Services

/// The Firestore ports of the functions. Each function has a port, besides the one that all clients
/// share.
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

  /// Opens a port for each function and returns their addresses by the function's name, once
  /// clients can connect.
  ///
  /// - Throws: `CancellationError` if the emulator stops before all ports are open.
  func open(_ functions: [String]) async throws -> [String: Addresses.Address] {
    var addresses: [String: Addresses.Address] = [:]
    for function in functions {
      let (ports, opened) = AsyncStream<Int>.makeStream()
      let listener = components.listener(
        components.firestoreProtocols(of: function),
        at: .init(host: Self.host, port: 0, isPortNegotiable: false)
      ) { opened.yield($0) }
      newListeners.yield(listener)
      guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
      addresses[function] = Addresses.Address(host: Self.host, port: port)
    }
    return addresses
  }
}
