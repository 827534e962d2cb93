import CZlib
import Core
import NIOCore

/// Compression and decompression of whole buffers with gzip.
enum Gzip {
  private static let chunk = 32 * 1024

  /// Decompresses a buffer.
  ///
  /// - Throws: `INVALID_ARGUMENT` if the buffer isn't gzip; `RESOURCE_EXHAUSTED` if the result is
  ///   longer than `limit`. The limit is needed because a few kilobytes can decompress to
  ///   gigabytes.
  static func inflate(_ input: ByteBuffer, limit: Int) throws(StatusError) -> ByteBuffer {
    let stream = makeStream()
    defer { stream.deallocate() }
    guard zlib_begin_gunzip(stream) == Z_OK else { throw noMemory }
    defer { inflateEnd(stream) }
    var output = ByteBuffer()
    let result = run(stream, input, into: &output, limit: limit) { CZlib.inflate($0, Z_NO_FLUSH) }
    if output.readableBytes > limit {
      throw StatusError(
        .resourceExhausted,
        "the message is larger than \(limit) bytes once decompressed"
      )
    }
    guard result == Z_STREAM_END, stream.pointee.avail_in == 0 else {
      throw StatusError(.invalidArgument, "the message is marked as gzip, but isn't gzip")
    }
    return output
  }

  static func deflate(_ input: ByteBuffer) throws(StatusError) -> ByteBuffer {
    let stream = makeStream()
    defer { stream.deallocate() }
    guard zlib_begin_gzip(stream) == Z_OK else { throw noMemory }
    defer { deflateEnd(stream) }
    var output = ByteBuffer()
    guard
      run(stream, input, into: &output, limit: .max, { CZlib.deflate($0, Z_FINISH) })
        == Z_STREAM_END
    else { throw noMemory }
    return output
  }

  /// Returns a frame with its message compressed.
  static func deflate(frame: ByteBuffer) throws(StatusError) -> ByteBuffer {
    var payload = frame
    payload.moveReaderIndex(forwardBy: ByteBuffer.frameHeaderLength)
    var deflated = try deflate(payload)
    var frame = ByteBuffer.frame(length: deflated.readableBytes, isCompressed: true)
    frame.writeBuffer(&deflated)
    return frame
  }

  /// Returns frames with each message compressed.
  static func deflate(frames: ByteBuffer) throws(StatusError) -> ByteBuffer {
    var rest = frames
    var deflated = ByteBuffer()
    while let length = rest.getInteger(at: rest.readerIndex + 1, as: UInt32.self),
      let frame = rest.readSlice(length: Int(length) + ByteBuffer.frameHeaderLength)
    {
      var next = try deflate(frame: frame)
      deflated.writeBuffer(&next)
    }
    return deflated
  }

  /// Allocates zlib's state, which must not move in memory because zlib stores its address.
  private static func makeStream() -> UnsafeMutablePointer<z_stream> {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    return stream
  }

  /// Runs steps of zlib until the compressed stream ends, an error occurs, more input is needed, or
  /// the output exceeds the limit.
  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>,
    _ input: ByteBuffer,
    into output: inout ByteBuffer,
    limit: Int,
    _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Int32 {
    input.withUnsafeReadableBytes { bytes in
      // zlib's interface takes a mutable pointer, but zlib doesn't write to its input.
      let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
      stream.pointee.next_in = start?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_in = UInt32(bytes.count)
      var result = Z_OK
      while result == Z_OK, output.readableBytes <= limit {
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: chunk) { room in
          let room = UnsafeMutableRawBufferPointer(rebasing: room.prefix(chunk))
          stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
          stream.pointee.avail_out = UInt32(room.count)
          result = step(stream)
          return room.count - Int(stream.pointee.avail_out)
        }
      }
      return result
    }
  }

  private static var noMemory: StatusError {
    StatusError(.resourceExhausted, "not enough memory for compression")
  }
}
