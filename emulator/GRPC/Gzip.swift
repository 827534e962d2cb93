import CZlib
import Core
import NIOCore

/// gzip, in one go.
enum Gzip {
  private static let chunk = 32 * 1024

  /// - Throws: `INVALID_ARGUMENT` if it isn't gzip, `RESOURCE_EXHAUSTED` if it is longer than the
  ///   limit once inflated: some kilobytes can stand for gigabytes.
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
      throw StatusError(.invalidArgument, "the message is no gzip, though it says so")
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

  /// A frame that isn't compressed, compressed.
  static func deflate(frame: ByteBuffer) throws(StatusError) -> ByteBuffer {
    var payload = frame
    payload.moveReaderIndex(forwardBy: ByteBuffer.frameHeaderLength)
    var deflated = try deflate(payload)
    var frame = ByteBuffer.frame(length: deflated.readableBytes, isCompressed: true)
    frame.writeBuffer(&deflated)
    return frame
  }

  /// Frames that aren't compressed, each compressed.
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

  /// zlib remembers where its stream is, so it needs a place of its own.
  private static func makeStream() -> UnsafeMutablePointer<z_stream> {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    return stream
  }

  /// Steps until the stream ends, fails, needs more than there is, or passes the limit.
  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>,
    _ input: ByteBuffer,
    into output: inout ByteBuffer,
    limit: Int,
    _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> Int32 {
    input.withUnsafeReadableBytes { bytes in
      // zlib's interface isn't const, but it doesn't write there.
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
    StatusError(.resourceExhausted, "there is no memory for compression")
  }
}
