package import Core
import Foundation
package import HTTPClient

/// A request that the server has received.
package struct ReceivedRequest: Sendable {
  package var method: String
  package var target: String
  package var headers: [HTTPHeader]
  package var body: Data
}

/// The server's side of one connection. Only the connection's thread uses it.
package final class ServerConnection {
  package let descriptor: Int32
  private var unread = Data()

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(
        descriptor,
        SOL_SOCKET,
        SO_NOSIGPIPE,
        &on,
        socklen_t(MemoryLayout<Int32>.size)
      )
    #endif
  }

  /// Reads the next request. Returns `nil` if the client has closed the connection.
  package func receive() -> ReceivedRequest? {
    let blankLine = Data("\r\n\r\n".utf8)
    while unread.range(of: blankLine) == nil {
      guard readMore() else { return nil }
    }
    guard let end = unread.range(of: blankLine) else { return nil }
    let lines = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    let headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      return HTTPHeader(
        String(parts[0]),
        parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
      )
    }
    unread = Data(unread[end.upperBound...])
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while unread.count < length {
      guard readMore() else { return nil }
    }
    defer { unread = Data(unread.dropFirst(length)) }
    return ReceivedRequest(
      method: String(words[0]),
      target: String(words[1]),
      headers: headers,
      body: Data(unread.prefix(length))
    )
  }

  /// Sends bytes.
  ///
  /// - Returns: `false` if the client has closed the connection.
  @discardableResult
  package func send(_ bytes: Data) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset < raw.count {
        let sent = sendBytes(raw.baseAddress?.advanced(by: offset), raw.count - offset, flags)
        guard sent > 0 else { return false }
        offset += sent
      }
      return true
    }
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(Data(text.utf8)) }

  /// Sends a complete response and keeps the connection open.
  package func answer(status: Int = 200, headers: [String] = [], body: Data = Data()) -> Bool {
    let lines = ["HTTP/1.1 \(status) Test", "Content-Length: \(body.count)"] + headers
    return send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  /// Waits without an answer until the client closes the connection.
  ///
  /// - Returns: `false`, so that the server closes the connection too.
  package func stall() -> Bool {
    while readMore() {}
    return false
  }

  /// Sends the text repeatedly until the client closes the connection.
  ///
  /// - Returns: `false`, so that the server closes the connection too.
  package func drip(_ piece: String) -> Bool {
    while send(piece) {}
    return false
  }

  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    unread.append(contentsOf: buffer[..<count])
    return true
  }

  private func sendBytes(_ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes, count, flags)
    #else
      Glibc.send(descriptor, bytes, count, flags)
    #endif
  }
}
