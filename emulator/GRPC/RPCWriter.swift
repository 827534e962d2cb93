package import Core
import NIOCore
package import SwiftProtobuf

/// A writer for the responses of a streaming method.
package struct RPCWriter<Response: Message & Sendable>: Sendable {
  private let output: RPCOutput

  init(_ output: RPCOutput) {
    self.output = output
  }

  /// Writes a response, and waits if too many bytes are unsent because the client doesn't read.
  ///
  /// - Throws: The error that has ended the call.
  package func write(_ message: Response) async throws(StatusError) {
    try await output.write([message.framed()])
  }

  /// The approximate number of bytes that are encoded before they are written to the queue.
  private static var portionBytes: Int { 256 << 10 }

  /// Writes several responses. This is faster than writing them one by one.
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

  /// Writes responses that are already encoded.
  package func write(_ messages: [FramedMessages<Response>]) async throws(StatusError) {
    try await output.write(messages.map(\.frames))
  }
}
