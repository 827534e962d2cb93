import NIOCore
import NIOHTTP2

/// A call, for code that isn't on its connection's event loop.
struct CallHandle: Sendable {
  private let loop: any EventLoop
  private let connection: NIOLoopBound<RPCConnection>
  private let id: HTTP2StreamID

  /// Creates a handle. Must run on the event loop.
  init(_ connection: RPCConnection, _ stream: RPCStream, on loop: any EventLoop) {
    self.loop = loop
    self.connection = NIOLoopBound(connection, eventLoop: loop)
    id = stream.id
  }

  /// Performs work on the event loop soon, unless the call has ended by then.
  func perform(_ work: @escaping @Sendable (RPCConnection, RPCStream) -> Void) {
    loop.execute { [connection, id] in
      let connection = connection.value
      if let stream = connection.streams[id] { work(connection, stream) }
    }
  }
}
