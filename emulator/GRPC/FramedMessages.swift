package import Core
import NIOCore
package import SwiftProtobuf

/// Messages in their wire format, encoded once for any number of streams.
package struct FramedMessages<Response: Message & Sendable>: Sendable {
  package let messages: [Response]
  /// The frames one after the other, uncompressed.
  let frames: ByteBuffer

  package init(_ messages: [Response]) throws(StatusError) {
    var frames = ByteBuffer()
    for message in messages {
      var frame = try message.framed()
      frames.writeBuffer(&frame)
    }
    self.messages = messages
    self.frames = frames
  }
}
