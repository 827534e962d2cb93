import FirestoreProtos
import NIOCore
import NIOHPACK
import NIOPosix
import SwiftProtobuf
import Synchronization

/// The connection of one device. It implements only the part of HTTP/2 that a correct gRPC server
/// needs.
final class Connection: ChannelInboundHandler, @unchecked Sendable {
  // Only the event loop uses the mutable state, except for the count of bytes.
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// A closure that receives the mark of each received document. It runs on the event loop.
  typealias Heard = @Sendable (Mark, NIODeadline) -> Void

  private static let window = UInt32(1 << 30)

  private struct Call {
    var received = ByteBuffer()
    /// A promise that succeeds when the response ends. For a listener, it succeeds when the target
    /// is current.
    var answer: EventLoopPromise<Void>
    var isListening: Bool
  }

  private let translated: Bool
  private let heard: Heard
  private let loop: any EventLoop
  private var channel: (any Channel)?
  private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
  private var received = ByteBuffer()
  private var calls: [UInt32: Call] = [:]
  private var nextStream: UInt32 = 1
  private var ungranted = 0
  private let bytes = Mutex(0)

  private init(translated: Bool, heard: @escaping Heard, loop: any EventLoop) {
    self.translated = translated
    self.heard = heard
    self.loop = loop
  }

  /// Opens a connection.
  ///
  /// - Parameter translated: whether only messages with translations are reported.
  static func open(
    host: String,
    port: Int,
    translated: Bool = false,
    heard: @escaping Heard
  ) async throws -> Connection {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let connection = Connection(translated: translated, heard: heard, loop: loop)
    let channel = try await ClientBootstrap(group: loop)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          connection.channel = channel
          try channel.pipeline.syncOperations.addHandler(connection)
        }
      }
      .connect(host: host, port: port).get()
    var hello = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    // The settings frame sets the initial window of streams, and the window update that of the
    // connection.
    var settings = ByteBuffer()
    settings.writeInteger(UInt16(4))
    settings.writeInteger(window)
    hello.writeFrame(.settings, stream: 0, settings)
    hello.writeFrame(.windowUpdate, stream: 0, ByteBuffer(integer: window))
    try await channel.writeAndFlush(hello)
    return connection
  }

  var bytesReceived: Int { bytes.withLock(\.self) }

  func close() { channel?.close(promise: nil) }

  /// Sends a message and waits for the response.
  func call(_ method: String, _ message: [UInt8]) async throws {
    try await send(method, message).get()
  }

  /// Sends a request.
  ///
  /// - Returns: a future that succeeds when the response has arrived.
  func send(_ method: String, _ message: [UInt8]) -> EventLoopFuture<Void> {
    begin(method, message, isListening: false)
  }

  /// Starts to listen, and waits until the target is current.
  func listen(_ message: [UInt8]) async throws {
    try await begin("Listen", message, isListening: true).get()
  }

  private func begin(
    _ method: String,
    _ message: [UInt8],
    isListening: Bool
  ) -> EventLoopFuture<Void> {
    let answer = loop.makePromise(of: Void.self)
    loop.execute { [self] in
      let stream = nextStream
      nextStream += 2
      calls[stream] = Call(answer: answer, isListening: isListening)
      var headers = ByteBuffer()
      do {
        try encoder.encode(
          headers: [
            ":method": "POST", ":scheme": "http", ":authority": "localhost",
            ":path": "/google.firestore.v1.Firestore/\(method)",
            "content-type": "application/grpc", "te": "trailers", "authorization": "Bearer owner",
            // Google's emulator takes the listener's database from this field.
            "google-cloud-resource-prefix": Chat.database,
          ],
          to: &headers
        )
      } catch {
        return answer.fail(error)
      }
      var data = ByteBuffer(integer: UInt8(0))
      data.writeInteger(UInt32(message.count))
      data.writeBytes(message)
      var frames = ByteBuffer()
      frames.writeFrame(.headers, flags: FrameFlags.endHeaders, stream: stream, headers)
      frames.writeFrame(.data, flags: isListening ? 0 : FrameFlags.endStream, stream: stream, data)
      channel?.writeAndFlush(frames, promise: nil)
    }
    return answer.futureResult
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var incoming = unwrapInboundIn(data)
    let count = incoming.readableBytes
    bytes.withLock { $0 += count }
    received.writeBuffer(&incoming)
    while readFrame(context) {}
    received.discardReadBytes()
  }

  func channelInactive(context: ChannelHandlerContext) {
    for call in calls.values { call.answer.fail(ChannelError.eof) }
    calls = [:]
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func readFrame(_ context: ChannelHandlerContext) -> Bool {
    let start = received.readerIndex
    guard let head = received.getInteger(at: start, as: UInt32.self),
      let flags = received.getInteger(at: start + 4, as: UInt8.self),
      let stream = received.getInteger(at: start + 5, as: UInt32.self),
      let payload = received.getSlice(at: start + 9, length: Int(head >> 8))
    else { return false }
    received.moveReaderIndex(forwardBy: 9 + payload.readableBytes)
    let kind = FrameKind(rawValue: UInt8(head & 255))
    switch kind {
    case .data:
      read(payload, of: stream)
      grant(payload.readableBytes, context)
    case .settings where flags & FrameFlags.acknowledgement == 0:
      answer(.settings, ByteBuffer(), context)
    case .ping where flags & FrameFlags.acknowledgement == 0: answer(.ping, payload, context)
    case .goAway, .reset: context.close(promise: nil)
    default: break
    }
    if kind == .data || kind == .headers, flags & FrameFlags.endStream != 0 {
      let call = calls.removeValue(forKey: stream)
      if call?.isListening == true {
        call?.answer.fail(ChannelError.eof)
        context.close(promise: nil)
      } else {
        call?.answer.succeed()
      }
    }
    return true
  }

  private func answer(
    _ kind: FrameKind,
    _ payload: ByteBuffer,
    _ context: ChannelHandlerContext
  ) {
    var frame = ByteBuffer()
    frame.writeFrame(kind, flags: FrameFlags.acknowledgement, stream: 0, payload)
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  /// Enlarges the connection's window by the number of received bytes.
  ///
  /// A stream's window needs no update, because it is larger than all data of a stream.
  private func grant(_ count: Int, _ context: ChannelHandlerContext) {
    ungranted += count
    guard ungranted > 1 << 20 else { return }
    var frame = ByteBuffer()
    frame.writeFrame(.windowUpdate, stream: 0, ByteBuffer(integer: UInt32(ungranted)))
    ungranted = 0
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }

  private func read(_ payload: ByteBuffer, of stream: UInt32) {
    guard var call = calls.removeValue(forKey: stream) else { return }
    defer { calls[stream] = call }
    call.received.writeImmutableBuffer(payload)
    let now = NIODeadline.now()
    while let length = call.received.getInteger(at: call.received.readerIndex + 1, as: UInt32.self),
      let message = call.received.getSlice(
        at: call.received.readerIndex + 5,
        length: Int(length)
      )
    {
      call.received.moveReaderIndex(forwardBy: 5 + Int(length))
      guard call.isListening else { continue }
      if let mark = message.withUnsafeReadableBytes(Mark.init) {
        let counts = !translated || message.withUnsafeReadableBytes(Mark.isTranslated)
        if counts { heard(mark, now) }
      } else if let response = try? ProtoListenResponse(
        serializedBytes: Array(message.readableBytesView)
      ), response.targetChange.targetChangeType == .current {
        call.answer.succeed()
      }
    }
    if call.received.readableBytes == 0 { call.received.clear() }
  }
}
