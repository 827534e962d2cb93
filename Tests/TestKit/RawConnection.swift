package import Core

/// A TCP connection to loopback for bytes that an HTTP client wouldn't send.
package final class RawConnection: Sendable {
  private let descriptor: Int32

  /// Connects to a port.
  ///
  /// - Throws: `UNAVAILABLE` if nothing accepts the connection.
  package init(port: Int) throws(StatusError) {
    guard let descriptor = LoopbackSocket.connected(to: UInt16(port)) else {
      throw StatusError(.unavailable, "no connection to \(port)")
    }
    self.descriptor = descriptor
    // The receive timeout is far longer than any correct response takes.
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &timeout,
      socklen_t(MemoryLayout<timeval>.size)
    )
  }

  deinit { close(descriptor) }

  package func send(_ text: String) { writeAll(text.utf8, to: descriptor) }

  /// Closes the sending side of the connection.
  package func sendEnd() { shutdown(descriptor, Int32(SHUT_WR)) }

  package func send(bytes: Data) { writeAll(bytes, to: descriptor) }

  /// Returns all bytes that arrive until the peer closes the connection.
  ///
  /// - Throws: `DEADLINE_EXCEEDED` if the peer sends nothing for a minute and doesn't close it.
  package func readToEnd() throws(StatusError) -> [UInt8] { try receive { _ in false } }

  /// Returns all bytes that arrive until they end with the text, or until the peer closes the
  /// connection.
  ///
  /// - Throws: `DEADLINE_EXCEEDED` if nothing arrives for a minute.
  package func read(upTo end: String) throws(StatusError) -> [UInt8] {
    let end = Array(end.utf8)
    return try receive { $0.suffix(end.count).elementsEqual(end) }
  }

  private func receive(until isWhole: ([UInt8]) -> Bool) throws(StatusError) -> [UInt8] {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Core.read(descriptor, &buffer, buffer.count)
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
