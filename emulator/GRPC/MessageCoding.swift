import Core
import NIOCore
import SwiftProtobuf

extension Message {
  /// Decodes a message.
  ///
  /// - Throws: `INVALID_ARGUMENT`, because clients repeat a call that fails with INTERNAL.
  init(payload: ByteBuffer) throws(StatusError) {
    var options = BinaryDecodingOptions()
    options.discardUnknownFields = true
    do {
      self = try payload.withUnsafeReadableBytes {
        try Self(serializedBytes: $0.bytes, options: options)
      }
    } catch {
      throw StatusError(.invalidArgument, "the request is not a valid \(Self.protoMessageName)")
    }
  }

  /// Returns the message behind gRPC's five bytes, uncompressed.
  func framed() throws(StatusError) -> ByteBuffer {
    do {
      let frame: FramedBytes = try serializedBytes()
      return frame.buffer
    } catch {
      throw StatusError(.internal, "the \(Self.protoMessageName) can't be encoded")
    }
  }
}

/// A message in its frame. SwiftProtobuf writes directly into the buffer that goes to the socket.
private struct FramedBytes: SwiftProtobufContiguousBytes {
  private(set) var buffer: ByteBuffer

  init(repeating byte: UInt8, count: Int) {
    buffer = ByteBuffer.frame(length: count)
    buffer.writeRepeatingByte(byte, count: count)
  }

  init(_ bytes: some Sequence<UInt8>) {
    buffer = ByteBuffer.frame(length: 0)
    let count = buffer.writeBytes(bytes)
    buffer.setInteger(UInt32(count), at: 1)
  }

  var count: Int { buffer.readableBytes - ByteBuffer.frameHeaderLength }

  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try buffer.withUnsafeReadableBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[ByteBuffer.frameHeaderLength...]))
    }
  }

  mutating func withUnsafeMutableBytes<R>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) rethrows -> R {
    try buffer.withUnsafeMutableReadableBytes {
      try body(UnsafeMutableRawBufferPointer(rebasing: $0[ByteBuffer.frameHeaderLength...]))
    }
  }
}

extension ByteBuffer {
  /// The bytes before each message: a flag, and four bytes of length.
  static let frameHeaderLength = 5

  /// Returns a buffer with a frame's header and room for the message.
  static func frame(length: Int, isCompressed: Bool = false) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: length + frameHeaderLength)
    buffer.writeInteger(UInt8(isCompressed ? 1 : 0))
    buffer.writeInteger(UInt32(length))
    return buffer
  }
}
