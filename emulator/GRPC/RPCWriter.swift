package import Core
import NIOCore
package import SwiftProtobuf

/// Where a streaming method's answers go.
package struct RPCWriter<Response: Message & Sendable>: Sendable {
  private let output: RPCOutput

  init(_ output: RPCOutput) {
    self.output = output
  }

  /// Returns when there is room for more: it waits while the client doesn't read.
  ///
  /// - Throws: what ended the call, if it has ended.
  package func write(_ message: Response) async throws(StatusError) {
    try await output.write([message.framed()])
  }

  /// About how many bytes are encoded before the client has to take them.
  private static var portionBytes: Int { 256 << 10 }

  /// Several messages at once, for the price of one or, if they are large, of a few.
  package func write(_ messages: [Response]) async throws(StatusError) {
    var frames: [ByteBuffer] = []
    frames.reserveCapacity(messages.count)
    var bytes = 0
    for message in messages {
      let frame = try message.framed()
      bytes += frame.readableBytes
      frames.append(frame)
      if bytes >= Self.portionBytes {
        try await output.write(frames)
        (frames, bytes) = ([], 0)
      }
    }
    if !frames.isEmpty { try await output.write(frames) }
  }

  /// Messages that were encoded before, for this stream or for many.
  package func write(_ messages: [FramedMessages<Response>]) async throws(StatusError) {
    try await output.write(messages.map(\.frames))
  }
}
