import NIOCore

/// The frame types of HTTP/2 (RFC 9113, section 6).
enum FrameKind: UInt8 {
  case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
}

enum FrameFlags {
  static let endStream: UInt8 = 1
  static let acknowledgement: UInt8 = 1
  static let endHeaders: UInt8 = 4
}

extension ByteBuffer {
  mutating func writeFrame(
    _ kind: FrameKind,
    flags: UInt8 = 0,
    stream: UInt32,
    _ payload: ByteBuffer
  ) {
    writeInteger(UInt32(payload.readableBytes) << 8 | UInt32(kind.rawValue))
    writeInteger(flags)
    writeInteger(stream)
    writeImmutableBuffer(payload)
  }
}
