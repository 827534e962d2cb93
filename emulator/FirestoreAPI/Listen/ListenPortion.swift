package import Core
package import FirestoreProtos
package import GRPC
import Synchronization
package import WebChannel

/// Responses that are sent together on a Listen stream. Streams that share them encode them once for
/// each transport.
package final class ListenPortion: Sendable {
  private struct Encodings {
    var frames: FramedMessages<ProtoListenResponse>?
    var json: [ChannelMessage]?
  }

  package let responses: [ProtoListenResponse]
  private let encodings = Mutex(Encodings())

  init(_ responses: [ProtoListenResponse]) { self.responses = responses }

  /// The responses in gRPC frames.
  package func frames() throws(StatusError) -> FramedMessages<ProtoListenResponse> {
    try encodings.withLock { encodings throws(StatusError) in
      if let frames = encodings.frames { return frames }
      let frames = try FramedMessages(responses)
      encodings.frames = frames
      return frames
    }
  }

  /// The responses in JSON.
  package func json() throws(StatusError) -> [ChannelMessage] {
    try encodings.withLock { encodings throws(StatusError) in
      if let json = encodings.json { return json }
      var json: [ChannelMessage] = []
      for response in responses { json.append(ChannelMessage(json: try response.json)) }
      encodings.json = json
      return json
    }
  }
}
