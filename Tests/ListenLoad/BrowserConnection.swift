import Core
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A device that listens over WebChannel, as a browser does.
final class BrowserConnection: @unchecked Sendable {
  // Only the event loop uses the mutable state, except for the count of bytes.

  private static let path =
    "/google.firestore.v1.Firestore/Listen/channel?VER=8&database="
    + PercentEncoding.encode(Chat.database)

  private let host: String
  private let port: Int
  private let heard: Connection.Heard
  private let loop: any EventLoop
  private let isCurrent: EventLoopPromise<Void>
  private var channel: (any Channel)?
  private var isClosed = false
  private var session: String?
  private var received = ByteBuffer()
  /// The last complete frame.
  private var frame = Data()
  private var lastArray: Int64 = 0
  private let bytes = Mutex(0)

  private init(host: String, port: Int, heard: @escaping Connection.Heard) {
    self.host = host
    self.port = port
    self.heard = heard
    loop = MultiThreadedEventLoopGroup.singleton.next()
    isCurrent = loop.makePromise()
  }

  /// Opens a session, and waits until its target is current.
  ///
  /// - Parameter request: a ListenRequest in JSON.
  static func listen(
    _ request: String,
    host: String,
    port: Int,
    heard: @escaping Connection.Heard
  ) async throws -> BrowserConnection {
    let connection = BrowserConnection(host: host, port: port, heard: heard)
    let form = PercentEncoding.form([
      ("headers", "Authorization:Bearer owner\r\n"), ("count", "1"), ("ofs", "0"),
      ("req0___data__", request),
    ])
    connection.loop.execute { connection.send(.POST, "&RID=1&CVER=22", body: form) }
    do {
      try await connection.isCurrent.futureResult.get()
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  var bytesReceived: Int { bytes.withLock(\.self) }

  func close() {
    loop.execute { [self] in
      isClosed = true
      channel?.close(promise: nil)
    }
  }

  /// Sends a request on a new connection, because Google's emulator closes a connection after a
  /// POST request.
  private func send(_ method: HTTPMethod, _ query: String, body: String = "") {
    guard !isClosed else { return }
    var head = HTTPRequestHead(version: .http1_1, method: method, uri: Self.path + query)
    head.headers.add(name: "host", value: "\(host):\(port)")
    head.headers.add(name: "origin", value: "http://\(host):\(port)")
    if method == .POST {
      head.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
      head.headers.add(name: "content-length", value: "\(body.utf8.count)")
    }
    ClientBootstrap(group: loop)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(ResponseHandler(self))
        }
      }
      .connect(host: host, port: port)
      .assumeIsolated().whenComplete { [self] result in
        guard case .success(let channel) = result else { return isCurrent.fail(ChannelError.eof) }
        self.channel = channel
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        let part = IOData.byteBuffer(ByteBuffer(string: body))
        if !body.isEmpty { channel.write(HTTPClientRequestPart.body(part), promise: nil) }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
      }
  }

  // MARK: Reading

  fileprivate func read(_ part: HTTPClientResponsePart, _ context: ChannelHandlerContext) {
    switch part {
    case .head(let head): if head.status != .ok { isCurrent.fail(ChannelError.eof) }
    case .body(var part):
      let count = part.readableBytes
      bytes.withLock { $0 += count }
      received.writeBuffer(&part)
      while readFrame() {}
      received.discardReadBytes()
    case .end:
      context.close(promise: nil)
      open()
    }
  }

  /// Opens the next back channel, which acknowledges the arrays of the last frame.
  private func open() {
    let arrays = (try? JSONValue(parsing: frame))?.array ?? []
    if case .integer(let id)? = arrays.last?.array?.first { lastArray = id }
    if session == nil { session = arrays.first?.array?.last?.array?[1].string }
    guard let session else { return isCurrent.fail(ChannelError.eof) }
    let id = PercentEncoding.encode(session)
    send(.GET, "&RID=rpc&SID=\(id)&AID=\(lastArray)&CI=0&TYPE=xmlhttp")
  }

  /// Reads a frame. All texts are in ASCII, so a UTF-16 code unit is a byte.
  private func readFrame() -> Bool {
    let digits = received.readableBytesView.prefix { $0 != 10 }
    guard let length = Int(String(decoding: digits, as: UTF8.self)),
      let text = received.getSlice(at: received.readerIndex + digits.count + 1, length: length)
    else { return false }
    received.moveReaderIndex(forwardBy: digits.count + 1 + length)
    let now = NIODeadline.now()
    frame = Data(text.readableBytesView)
    text.withUnsafeReadableBytes { bytes in
      var rest = bytes[...]
      while let end = Mark.end(in: UnsafeRawBufferPointer(rebasing: rest)) {
        if let mark = Mark(in: UnsafeRawBufferPointer(rebasing: rest)) { heard(mark, now) }
        rest = rest.dropFirst(end)
      }
      if Mark.isCurrent(bytes) { isCurrent.succeed() }
    }
    return true
  }
}

private final class ResponseHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let device: BrowserConnection

  init(_ device: BrowserConnection) { self.device = device }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    device.read(unwrapInboundIn(data), context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
