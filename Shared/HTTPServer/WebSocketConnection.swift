package import NIOCore
import NIOWebSocket

/// A WebSocket connection, for its handler.
package struct WebSocketConnection: Sendable {
  private let channel: any Channel
  private let frames: NIOLoopBound<WebSocketFrames>

  init(_ channel: any Channel, _ frames: WebSocketFrames) {
    self.channel = channel
    self.frames = NIOLoopBound(frames, eventLoop: channel.eventLoop)
  }

  /// Sends texts, in the order of the calls. If the client doesn't read, and too much is unread, it
  /// is disconnected.
  ///
  /// - Parameter texts: The texts, which are made later, on the event loop.
  package func send(_ texts: @escaping @Sendable () -> [ByteBuffer]) {
    perform { $0.send(texts()) }
  }

  /// Closes the connection after the messages sent so far.
  package func close() { perform { $0.close(.goingAway) } }

  /// Stops or continues reading, so that a client can't send faster than its messages are handled.
  package func setReading(_ isReading: Bool) { perform { $0.setReading(isReading) } }

  /// The event loop on which the handler is called.
  package var eventLoop: any EventLoop { channel.eventLoop }

  /// Runs work later even on the event loop. So a caller may hold a lock that the handler takes when
  /// the connection ends.
  private func perform(_ work: @escaping @Sendable (WebSocketFrames) -> Void) {
    channel.eventLoop.execute { work(frames.value) }
  }
}
