package import Core
import NIOCore
package import SwiftProtobuf

/// Messages as they go over the wire, encoded once for any number of streams.
package struct FramedMessages<Response: Message & Sendable>: Sendable {
  package let messages: [Response]
  /// One frame after the other, none compressed.
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
