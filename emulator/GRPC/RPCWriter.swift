import NIOCore
package import RPCStatus
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

  /// Several messages at once, for the price of one.
  package func write(_ messages: [Response]) async throws(StatusError) {
    var frames: [ByteBuffer] = []
    frames.reserveCapacity(messages.count)
    for message in messages { frames.append(try message.framed()) }
    try await output.write(frames)
  }

  /// Messages that were encoded before, for this stream or for many.
  package func write(_ messages: [FramedMessages<Response>]) async throws(StatusError) {
    try await output.write(messages.map(\.frames))
  }
}
