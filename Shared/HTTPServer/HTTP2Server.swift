package import NIOCore

/// The server of a listener's HTTP/2 connections.
package protocol HTTP2Server: Sendable {
  /// Adds the server's handlers to a connection that hasn't been read from, on its event loop.
  func addHandlers(to channel: any Channel) throws
}
