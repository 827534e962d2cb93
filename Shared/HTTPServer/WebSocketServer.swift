package import HTTPService
package import NIOCore

/// The server of a listener's WebSocket connections.
package protocol WebSocketServer: Sendable {
  /// The maximum size of a message in bytes. A client that sends a larger one is disconnected.
  var maximumMessageBytes: Int { get }

  /// Makes the handler of a new connection. It is called on the connection's event loop.
  typealias MakeHandler = (WebSocketConnection) -> any WebSocketHandler

  /// Returns the maker of a connection's handler, or `nil` if the request can't become a WebSocket
  /// connection. It is then answered over HTTP.
  func handler(for request: ServiceRequest) -> MakeHandler?
}

/// The handler of one WebSocket connection. It is called on the connection's event loop.
package protocol WebSocketHandler: AnyObject {
  /// Called once, before any message arrives.
  func opened()
  func received(_ text: ByteBuffer)
  /// Called once. After it, nothing can be sent.
  func closed()
}
