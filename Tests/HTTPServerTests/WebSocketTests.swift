import HTTPServer
import HTTPService
import NIOCore
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WebSocketTests {
  /// A server that sends a text every few milliseconds, whatever the client does.
  private struct Talker: WebSocketServer {
    let end: Gate
    let maximumMessageBytes = 1_000

    func handler(for request: ServiceRequest) -> MakeHandler? {
      { Handler(connection: $0, end: end) }
    }

    private final class Handler: WebSocketHandler {
      private let connection: WebSocketConnection
      private let end: Gate
      private var sending: RepeatedTask?

      init(connection: WebSocketConnection, end: Gate) {
        self.connection = connection
        self.end = end
      }

      func opened() {
        let connection = connection
        sending = connection.eventLoop.scheduleRepeatedTask(
          initialDelay: .zero,
          delay: .milliseconds(5)
        ) { _ in connection.send { [ByteBuffer(string: "x")] } }
      }

      func received(_ text: ByteBuffer) {}

      func closed() {
        sending?.cancel()
        end.open()
      }
    }
  }

  /// Such a client has lost its network, for example: the server's own texts don't show that it is
  /// still there.
  @Test func `a client that answers no ping is disconnected although texts are sent to it`()
    async throws
  {
    let end = Gate()
    try await withListener(
      nil,
      idleTime: .milliseconds(400),
      webSockets: Talker(end: end)
    ) { port in
      let connection = try RawConnection(port: port)
      connection.send(
        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
      )
      await end.pass()
      let received = try connection.readToEnd()
      // A ping's first byte, which is in no text that the server sends here.
      #expect(received.contains(0x89))
    }
  }
}
