import Core
import Dispatch

/// A listening port that accepts connections and never answers.
package final class SilentListener: Sendable {
  package let port: Int
  private let descriptor: Int32

  /// An accepted connection, closed on deinitialization.
  package final class Connection: Sendable {
    private let descriptor: Int32
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  package init() throws {
    let (descriptor, port) = try LoopbackSocket.bound()
    self.descriptor = descriptor
    self.port = Int(port)
    guard listen(descriptor, 8) == 0 else {
      throw StatusError(.unavailable, "no port: \(lastSystemError())")
    }
  }

  deinit { close(descriptor) }

  /// Waits for a connection on a separate thread.
  package func accept() async throws -> Connection {
    let accepted = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [descriptor] in
        continuation.resume(returning: Core.accept(descriptor, nil, nil))
      }
    }
    guard accepted >= 0 else { throw StatusError(.unavailable, "no connection") }
    return Connection(accepted)
  }
}
