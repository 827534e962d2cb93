import CZlib
import Core
import NIOCore

/// Compression and decompression of whole buffers with gzip.
enum Gzip {
  private static let chunk = 32 * 1024

  /// Decompresses a buffer.
  ///
  /// - Throws: `INVALID_ARGUMENT` if it isn't gzip; `RESOURCE_EXHAUSTED` if the result is longer
  ///   than the limit, because a few kilobytes can inflate to gigabytes.
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

  /// Returns an uncompressed frame in compressed form.
  static func deflate(frame: ByteBuffer) throws(StatusError) -> ByteBuffer {
    var payload = frame
    payload.moveReaderIndex(forwardBy: ByteBuffer.frameHeaderLength)
    var deflated = try deflate(payload)
    var frame = ByteBuffer.frame(length: deflated.readableBytes, isCompressed: true)
    frame.writeBuffer(&deflated)
    return frame
  }

  /// Returns uncompressed frames, each in compressed form.
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

  /// Allocates a stream. zlib keeps the stream's address, so it must not move.
  private static func makeStream() -> UnsafeMutablePointer<z_stream> {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    return stream
  }

  /// Runs steps until the stream ends, fails, needs more input, or passes the limit.
  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>,
    _ input: ByteBuffer,
    into output: inout ByteBuffer,
    limit: Int,
    _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Int32 {
    input.withUnsafeReadableBytes { bytes in
      // zlib's interface isn't const, but it doesn't write to its input.
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
