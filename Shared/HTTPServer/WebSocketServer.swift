package import HTTPService
package import NIOCore

/// The server of a listener's WebSocket connections.
package protocol WebSocketServer: Sendable {
  /// The maximum size of a message in bytes. A client that sends a larger one is disconnected.
  var maximumMessageBytes: Int { get }

  /// Returns whether a request may become a WebSocket connection. Others are answered over HTTP.
  func accepts(_ request: ServiceRequest) -> Bool

  /// Returns the handler of a new connection. It is called on the connection's event loop.
  func open(_ connection: WebSocketConnection, _ request: ServiceRequest) -> any WebSocketHandler
}

/// The handler of one WebSocket connection. It is called on the connection's event loop.
package protocol WebSocketHandler: AnyObject {
  /// Called once, before any message arrives.
  func opened()
  func received(_ text: ByteBuffer)
  /// Called once. After it, nothing can be sent.
  func closed()
}
