import Core
import NIOCore

/// Cuts a stream's bytes into messages.
struct MessageReader {
  private var received = ByteBuffer()
  private let isGzipped: Bool
  private let limit: Int

  /// - Parameters:
  ///   - isGzipped: whether messages may be compressed.
  ///   - limit: the longest message, before and after it is decompressed.
  init(isGzipped: Bool, limit: Int) {
    self.isGzipped = isGzipped
    self.limit = limit
  }

  /// Bytes that aren't a whole message yet.
  var pendingBytes: Int { received.readableBytes }

  mutating func append(_ bytes: inout ByteBuffer) {
    if received.readableBytes == 0 {
      received = bytes
    } else {
      received.writeBuffer(&bytes)
    }
  }

  /// - Returns: nil as long as the next message isn't whole.
  mutating func next() throws(StatusError) -> ByteBuffer? {
    let header = ByteBuffer.frameHeaderLength
    guard let flag = received.getInteger(at: received.readerIndex, as: UInt8.self),
      let length = received.getInteger(at: received.readerIndex + 1, as: UInt32.self)
    else { return nil }
    guard length <= limit else {
      throw StatusError(
        .resourceExhausted,
        "the message has \(length) bytes, \(limit) are the most there can be"
      )
    }
    guard received.readableBytes >= header + Int(length) else { return nil }
    received.moveReaderIndex(forwardBy: header)
    guard let payload = received.readSlice(length: Int(length)) else { return nil }
    switch flag {
    case 0: return payload
    case 1 where isGzipped: return try Gzip.inflate(payload, limit: limit)
    default:
      throw StatusError(
        .invalidArgument,
        flag == 1
          ? "the message is compressed, but the call names no grpc-encoding"
          : "the message's first byte is \(flag), not 0 or 1"
      )
    }
  }
}
