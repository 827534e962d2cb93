import Core
import NIOCore

/// Messages as frames: a message of more than 16,384 bytes is sent in parts, after a frame with
/// their number.
enum MessageFrames {
  private static let mostBytes = 16_384

  static func frames(of message: [UInt8]) -> [ByteBuffer] {
    guard message.count > mostBytes else { return [ByteBuffer(bytes: message)] }
    let whole = ByteBuffer(bytes: message)
    var parts: [ByteBuffer] = []
    var start = 0
    while start < message.count {
      var end = min(start + mostBytes, message.count)
      // Don't divide a character: 0b10 are the first bits of its further bytes.
      while end < message.count, message[end] & 0xC0 == 0x80 { end -= 1 }
      if let part = whole.getSlice(at: start, length: end - start) { parts.append(part) }
      start = end
    }
    return [ByteBuffer(string: String(parts.count))] + parts
  }
}

/// Puts messages together from a client's frames.
struct MessageAssembly {
  private static let mostBytes = 16 << 20
  /// A frame of at most this many digits is the number of the parts that follow.
  private static let mostDigits = 6

  private var message = ByteBuffer()
  private var missing = 0

  enum Result {
    case incomplete
    case message(Data)
  }

  /// Adds a frame.
  ///
  /// - Throws: `INVALID_ARGUMENT` if a number of parts isn't possible, or the message is too large.
  mutating func add(_ frame: ByteBuffer) throws(StatusError) -> Result {
    var frame = frame
    if missing == 0 {
      guard let count = Self.count(frame) else { return .message(Data(frame.readableBytesView)) }
      // The client sends 0 to keep the connection.
      guard count > 0 else { return .incomplete }
      missing = count
      message = ByteBuffer()
      return .incomplete
    }
    guard message.readableBytes + frame.readableBytes <= Self.mostBytes else {
      throw StatusError(.invalidArgument, "a message has more than \(Self.mostBytes >> 20) MiB")
    }
    message.writeBuffer(&frame)
    missing -= 1
    guard missing == 0 else { return .incomplete }
    let whole = message
    message = ByteBuffer()
    return .message(Data(whole.readableBytesView))
  }

  private static func count(_ frame: ByteBuffer) -> Int? {
    guard (1...mostDigits).contains(frame.readableBytes),
      frame.readableBytesView.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return frame.readableBytesView.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
