import Core
import Foundation

/// TCP sockets on 127.0.0.1.
package enum LoopbackSocket {
  /// Returns a bound socket that doesn't listen yet: the system refuses connections to its port.
  package static func bound() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = make()
    var address = loopback(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 ? getsockname(descriptor, generic, &length) : -1
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Returns a connection to a port, or `nil` if nothing listens there.
  package static func connected(to port: UInt16) -> Int32? {
    let descriptor = make()
    var address = loopback(port: port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// Returns a socket that child processes don't inherit.
  private static func make() -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
