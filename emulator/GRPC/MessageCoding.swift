import Core
import NIOCore
import SwiftProtobuf

extension Message {
  /// Decodes a message.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the bytes aren't such a message. The code isn't `INTERNAL`,
  ///   because clients retry calls that fail with `INTERNAL`.
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

  /// Returns the uncompressed message in a gRPC frame.
  func framed() throws(StatusError) -> ByteBuffer {
    do {
      let frame: FramedBytes = try serializedBytes()
      return frame.buffer
    } catch {
      throw StatusError(.internal, "the \(Self.protoMessageName) can't be encoded")
    }
  }
}

/// A buffer with a frame, into which SwiftProtobuf encodes a message directly.
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
  /// The length of the header before each message, in bytes: one byte for a flag, and four for the
  /// message's length.
  static let frameHeaderLength = 5

  /// Returns a buffer with a frame's header and capacity for the message.
  static func frame(length: Int, isCompressed: Bool = false) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: length + frameHeaderLength)
    buffer.writeInteger(UInt8(isCompressed ? 1 : 0))
    buffer.writeInteger(UInt32(length))
    return buffer
  }
}
