import Core

/// A buffer for the parts of one response that libcurl delivers. The response's size is limited.
final class ResponseBuffer {
  private(set) var headers: [HTTPHeader] = []
  private(set) var body = Data()
  /// A Boolean value that indicates whether the blank line after the headers has arrived. If the
  /// connection closes before that line, libcurl reports a complete response nevertheless.
  private(set) var hasAllHeaders = false
  /// The error if the response exceeded a limit, which ends the transfer; otherwise `nil`.
  private(set) var exceeded: StatusError?

  private let target: RequestTarget
  private let maximumHeaderBytes: Int
  private let maximumBodyBytes: Int
  private let receiver: (any ResponseReceiver)?
  private var headerBytes = 0
  private var status = 0

  init(
    target: RequestTarget,
    maximumHeaderBytes: Int,
    maximumBodyBytes: Int,
    receiver: (any ResponseReceiver)? = nil
  ) {
    self.target = target
    self.receiver = receiver
    self.maximumHeaderBytes = maximumHeaderBytes
    self.maximumBodyBytes = maximumBodyBytes
  }

  /// Takes one line of the response's head: the status line, a header field or the blank line.
  ///
  /// - Returns: `false` if the size limit is exceeded.
  func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headerBytes += line.count
    guard headerBytes <= maximumHeaderBytes else {
      exceeded = StatusError(
        .unavailable,
        "\(target): answered with more than \(maximumHeaderBytes) bytes of headers"
      )
      return false
    }
    // A status line after an interim response (1xx) begins the next response, so discard the
    // interim one.
    if line.starts(with: "HTTP/".utf8) {
      headers = []
      hasAllHeaders = false
      status = Int(Self.trimmed(line[...]).split(separator: " ").dropFirst().first ?? "") ?? 0
    } else if Self.trimmed(line[...]).isEmpty {
      hasAllHeaders = true
      if status >= 200 { receiver?.begin(status: status, headers: headers) }
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 {
      headers.append(
        HTTPHeader(Self.trimmed(line[..<colon]), Self.trimmed(line[(colon + 1)...]))
      )
    }
    return true
  }

  /// Appends a piece of the decompressed body.
  ///
  /// - Returns: `false` if the size limit is exceeded.
  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= maximumBodyBytes - body.count else {
      exceeded = StatusError(
        .unavailable,
        "\(target): answered with more than \(maximumBodyBytes) bytes"
      )
      return false
    }
    body.append(contentsOf: bytes)
    receiver?.receive(bytes)
    return true
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
