package import Core
import NIOCore
package import SwiftProtobuf

/// Messages that are encoded once and can be sent on any number of streams.
package struct FramedMessages<Response: Message & Sendable>: Sendable {
  /// The uncompressed gRPC frames of all messages, one after the other.
  let frames: ByteBuffer

  package init(_ messages: [Response]) throws(StatusError) {
    var frames = ByteBuffer()
    for message in messages {
      var frame = try message.framed()
      frames.writeBuffer(&frame)
    }
    self.frames = frames
  }
}
