import NIOCore
import NIOHTTP2

/// A reference to a call, for code that doesn't run on the event loop of the call's connection.
struct CallHandle: Sendable {
  private let loop: any EventLoop
  private let connection: NIOLoopBound<RPCConnection>
  private let id: HTTP2StreamID

  /// Creates a handle. Call this initializer only on the event loop.
  init(_ connection: RPCConnection, _ stream: RPCStream, on loop: any EventLoop) {
    self.loop = loop
    self.connection = NIOLoopBound(connection, eventLoop: loop)
    id = stream.id
  }

  /// Schedules work on the event loop. The work isn't performed if the call's stream has closed by
  /// then.
  func perform(_ work: @escaping @Sendable (RPCConnection, RPCStream) -> Void) {
    loop.execute { [connection, id] in
      let connection = connection.value
      if let stream = connection.streams[id] { work(connection, stream) }
    }
  }
}
