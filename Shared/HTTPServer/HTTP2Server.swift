package import NIOCore

/// The server of a listener's HTTP/2 connections.
package protocol HTTP2Server: Sendable {
  /// Adds the server's handlers to a connection from which nothing has been read yet. It is called
  /// on the connection's event loop.
  func addHandlers(to channel: any Channel) throws
}
