package import Platform
package import RPCStatus

/// A TCP connection to loopback, for what no HTTP client would send.
package final class RawConnection: Sendable {
  private let descriptor: Int32

  /// - Throws: `UNAVAILABLE` if nobody accepts.
  package init(port: Int) throws(StatusError) {
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    descriptor = socket(AF_INET, type, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Nothing that is right takes this long.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &patience,
      socklen_t(MemoryLayout<timeval>.size)
    )
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      throw StatusError(.unavailable, "no connection to \(port): \(lastSystemError())")
    }
  }

  deinit { close(descriptor) }

  package func send(_ text: String) { writeAll(text.utf8, to: descriptor) }

  /// Says that nothing more is sent.
  package func sendEnd() { shutdown(descriptor, Int32(SHUT_WR)) }

  package func send(bytes: Data) { writeAll(bytes, to: descriptor) }

  /// What comes until the other side closes.
  ///
  /// - Throws: `DEADLINE_EXCEEDED` if it doesn't.
  package func readToEnd() throws(StatusError) -> [UInt8] { try receive { _ in false } }

  /// What comes until it ends with the text, or the other side closes.
  ///
  /// - Throws: `DEADLINE_EXCEEDED` if neither happens.
  package func read(upTo end: String) throws(StatusError) -> [UInt8] {
    let end = Array(end.utf8)
    return try receive { $0.suffix(end.count).elementsEqual(end) }
  }

  private func receive(until isWhole: ([UInt8]) -> Bool) throws(StatusError) -> [UInt8] {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Platform.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        received += buffer[..<count]
        if isWhole(received) { return received }
      } else if count == 0 || errno == ECONNRESET {
        return received
      } else if errno != EINTR {
        throw StatusError(.deadlineExceeded, "the connection stays open")
      }
    }
  }
}
