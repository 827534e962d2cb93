import Core
import NIOCore

/// A reader that splits a stream's bytes into messages.
struct MessageReader {
  private var received = ByteBuffer()
  private let isGzipped: Bool
  private let limit: Int

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - isGzipped: A Boolean value that indicates whether the messages may be compressed.
  ///   - limit: The maximum size of a message in bytes, both before and after decompression.
  init(isGzipped: Bool, limit: Int) {
    self.isGzipped = isGzipped
    self.limit = limit
  }

  /// The number of received bytes that weren't returned as messages.
  var pendingBytes: Int { received.readableBytes }

  mutating func append(_ bytes: inout ByteBuffer) {
    if received.readableBytes == 0 {
      received = bytes
    } else {
      received.writeBuffer(&bytes)
    }
  }

  /// Returns the next message, or `nil` if it isn't complete yet.
  mutating func next() throws(StatusError) -> ByteBuffer? {
    let header = ByteBuffer.frameHeaderLength
    guard let flag = received.getInteger(at: received.readerIndex, as: UInt8.self),
      let length = received.getInteger(at: received.readerIndex + 1, as: UInt32.self)
    else { return nil }
    guard length <= limit else {
      throw StatusError(
        .resourceExhausted,
        "the message has \(length) bytes, but the limit is \(limit)"
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
          ? "the message is compressed, but the call has no header grpc-encoding: gzip"
          : "the message's first byte is \(flag), not 0 or 1"
      )
    }
  }
}
