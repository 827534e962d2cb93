import Dispatch
import Platform
import RPCStatus

/// A port that accepts and never answers.
package final class SilentListener: Sendable {
  package let port: Int
  private let descriptor: Int32

  /// An accepted connection, open until it is let go.
  package final class Connection: Sendable {
    private let descriptor: Int32
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  package init() throws {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, type, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    port = Int(in_port_t(bigEndian: address.sin_port))
    guard result else { throw StatusError(.unavailable, "no port: \(lastSystemError())") }
  }

  deinit { close(descriptor) }

  /// Waits for a connection on a thread of its own.
  package func accept() async throws -> Connection {
    let accepted = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [descriptor] in
        continuation.resume(returning: Platform.accept(descriptor, nil, nil))
      }
    }
    guard accepted >= 0 else { throw StatusError(.unavailable, "no connection") }
    return Connection(accepted)
  }
}
