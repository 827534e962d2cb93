import Core
import NIOCore
import NIOHPACK
import NIOPosix
import SwiftProtobuf

/// A minimal HTTP/2 client, for sequences of frames that no HTTP/2 library would send.
struct HTTP2Connection {
  struct Frame {
    enum Kind: UInt8 {
      case data, headers, priority, reset, settings, push, ping, goAway, windowUpdate, continuation
    }

    var kind: Kind
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload = ByteBuffer()

    static let endStream: UInt8 = 1
    static let acknowledgement: UInt8 = 1
    static let endHeaders: UInt8 = 4
  }

  /// The response to a call.
  struct Reply {
    var headers: HPACKHeaders = [:]
    var trailers: HPACKHeaders = [:]
    var data = ByteBuffer()
    /// The error code of the server's `RST_STREAM` frame, or `nil` if there was none.
    var reset: UInt32?

    /// The value of `grpc-status`, or -1 if it is missing.
    var status: Int { field("grpc-status").flatMap { Int($0) } ?? -1 }
    var message: String { field("grpc-message") ?? "" }

    /// Returns a field of the trailers, or of the headers if the trailers don't have it.
    func field(_ name: String) -> String? {
      trailers.first(name: name) ?? headers.first(name: name)
    }

    /// The messages in the response, as bytes.
    var messages: [ByteBuffer] {
      var rest = data
      var messages: [ByteBuffer] = []
      while rest.readInteger(as: UInt8.self) != nil,
        let length = rest.readInteger(as: UInt32.self),
        let message = rest.readSlice(length: Int(length))
      { messages.append(message) }
      return messages
    }

    /// The texts in the messages.
    var texts: [String] {
      messages.map {
        (try? Google_Protobuf_StringValue(serializedBytes: Array($0.readableBytesView)))?.value
          ?? "?"
      }
    }
  }

  static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  private var received = ByteBuffer()
  private var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
  private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
  private var replies: [UInt32: Reply] = [:]
  private var ended: Set<UInt32> = []

  /// Runs `body` with a new connection, on which nothing has been sent.
  static func with<Result: Sendable>(
    port: Int,
    host: String = "127.0.0.1",
    _ body: @Sendable (inout HTTP2Connection) async throws -> Result
  ) async throws -> Result {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    var result: Result?
    do {
      try await channel.executeThenClose { inbound, outbound in
        var connection = HTTP2Connection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
        result = try await body(&connection)
      }
    } catch let error as ChannelError {
      // If `body` has succeeded, the error only means that the server closed the connection first.
      guard result != nil else { throw error }
    }
    guard let result else { throw CancellationError() }
    return result
  }

  private init(
    inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.inbound = inbound
    self.outbound = outbound
  }

  // MARK: Sending

  func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }

  func send(_ bytes: ByteBuffer) async throws { try await outbound.write(bytes) }

  func send(_ frames: [Frame]) async throws {
    var buffer = ByteBuffer()
    for frame in frames { buffer.writeBytes(Self.bytes(of: frame)) }
    try await send(buffer)
  }

  func send(_ frame: Frame) async throws { try await send([frame]) }

  static func bytes(of frame: Frame) -> [UInt8] {
    let length = UInt32(frame.payload.readableBytes)
    var buffer = ByteBuffer()
    buffer.writeBytes([UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255)])
    buffer.writeBytes([frame.kind.rawValue, frame.flags])
    buffer.writeInteger(frame.stream)
    buffer.writeBytes(frame.payload.readableBytesView)
    return Array(buffer.readableBytesView)
  }

  /// Sends the connection preface and a settings frame.
  func begin(_ settings: [(id: UInt16, value: UInt32)] = []) async throws {
    var payload = ByteBuffer()
    for setting in settings {
      payload.writeInteger(setting.id)
      payload.writeInteger(setting.value)
    }
    // One write sends both. Between two writes, the time limit for the handshake could expire on a
    // busy machine.
    var bytes = ByteBuffer(string: Self.preface)
    bytes.writeBytes(Self.bytes(of: Frame(kind: .settings, payload: payload)))
    try await send(bytes)
  }

  /// Returns the headers frame that starts a call.
  mutating func headers(
    _ path: String,
    stream: UInt32,
    _ more: [(String, String)] = [],
    contentType: String = "application/grpc",
    authority: String = "localhost",
    isEnd: Bool = false
  ) throws -> Frame {
    var payload = ByteBuffer()
    let headers = [
      (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", authority),
      ("content-type", contentType), ("te", "trailers"),
    ]
    try encoder.encode(headers: HPACKHeaders(headers + more), to: &payload)
    let flags = Frame.endHeaders | (isEnd ? Frame.endStream : 0)
    return Frame(kind: .headers, flags: flags, stream: stream, payload: payload)
  }

  /// Returns a data frame with any bytes, which don't have to be a complete message.
  func data(_ bytes: [UInt8], stream: UInt32, isEnd: Bool = true) -> Frame {
    Frame(
      kind: .data,
      flags: isEnd ? Frame.endStream : 0,
      stream: stream,
      payload: ByteBuffer(bytes: bytes)
    )
  }

  static func framed(_ payload: [UInt8], flag: UInt8 = 0) -> [UInt8] {
    let length = UInt32(payload.count)
    return [flag] + (0..<4).map { UInt8(length >> (24 - 8 * $0) & 255) } + payload
  }

  static func framed(_ text: String) throws -> [UInt8] {
    framed(try Google_Protobuf_StringValue.with { $0.value = text }.serializedBytes())
  }

  func grantWindow(_ bytes: UInt32, stream: UInt32) async throws {
    try await send(
      Frame(kind: .windowUpdate, stream: stream, payload: ByteBuffer(integer: bytes))
    )
  }

  func reset(_ stream: UInt32) async throws {
    try await send(Frame(kind: .reset, stream: stream, payload: ByteBuffer(integer: UInt32(8))))
  }

  // MARK: Receiving

  /// Reads the next frame, and acknowledges it if it has settings. Returns `nil` if the server has
  /// closed the connection.
  mutating func next() async throws -> Frame? {
    while true {
      if let frame = readFrame() {
        if frame.kind == .settings, frame.flags & Frame.acknowledgement == 0 {
          // Sending fails if the server has closed the connection.
          try? await send(Frame(kind: .settings, flags: Frame.acknowledgement))
        }
        return frame
      }
      let bytes: ByteBuffer?
      do {
        bytes = try await inbound.next()
      } catch is IOError {
        return nil
      } catch is ChannelError {
        return nil
      }
      guard var bytes else { return nil }
      received.writeBuffer(&bytes)
    }
  }

  private mutating func readFrame() -> Frame? {
    let start = received.readerIndex
    guard let length = received.getBytes(at: start, length: 3),
      let kind = received.getInteger(at: start + 3, as: UInt8.self).flatMap(Frame.Kind.init),
      let flags = received.getInteger(at: start + 4, as: UInt8.self),
      let stream = received.getInteger(at: start + 5, as: UInt32.self)
    else { return nil }
    let count = Int(length[0]) << 16 | Int(length[1]) << 8 | Int(length[2])
    guard let payload = received.getSlice(at: start + 9, length: count) else { return nil }
    received.moveReaderIndex(forwardBy: 9 + count)
    return Frame(kind: kind, flags: flags, stream: stream, payload: payload)
  }

  /// Returns everything that the server sends until it closes the connection, as text.
  mutating func readText() async throws -> String {
    while let bytes = try await inbound.next() { received.writeImmutableBuffer(bytes) }
    return String(buffer: received)
  }

  /// Returns everything that the server sends until it contains the text.
  mutating func readText(until text: String) async throws -> String {
    while !String(buffer: received).contains(text), let bytes = try await inbound.next() {
      received.writeImmutableBuffer(bytes)
    }
    return String(buffer: received)
  }

  /// Returns all frames until the server closes the connection.
  mutating func readToEnd() async throws -> [Frame] {
    var frames: [Frame] = []
    while let frame = try await next() { frames.append(frame) }
    return frames
  }

  /// Waits until a call has ended, and returns its response. Keeps the frames of other calls.
  ///
  /// - Returns: the response, or `nil` if the connection is closed first.
  mutating func reply(of stream: UInt32) async throws -> Reply? {
    while !ended.contains(stream) {
      guard let frame = try await next() else { return nil }
      try note(frame)
    }
    ended.remove(stream)
    return replies.removeValue(forKey: stream)
  }

  /// Waits until a running call has at least this many messages, and returns all of them.
  ///
  /// - Throws: `EndOfCall` if the call ends first.
  mutating func messages(of stream: UInt32, atLeast count: Int) async throws -> [ByteBuffer] {
    while replies[stream]?.messages.count ?? 0 < count {
      guard !ended.contains(stream), let frame = try await next() else { throw EndOfCall() }
      try note(frame)
    }
    return replies[stream]?.messages ?? []
  }

  struct EndOfCall: Error {}

  private mutating func note(_ frame: Frame) throws {
    guard frame.stream != 0 else { return }
    var payload = frame.payload
    var reply = replies[frame.stream] ?? Reply()
    switch frame.kind {
    case .headers:
      let headers = try decoder.decodeHeaders(from: &payload)
      if reply.headers.isEmpty { reply.headers = headers } else { reply.trailers = headers }
    case .data: reply.data.writeBuffer(&payload)
    // A reset after the end of the response only says that the server doesn't need the rest of the
    // request.
    case .reset where !ended.contains(frame.stream):
      reply.reset = payload.readInteger()
      ended.insert(frame.stream)
    default: return
    }
    if frame.kind != .reset, frame.flags & Frame.endStream != 0 { ended.insert(frame.stream) }
    replies[frame.stream] = reply
  }

  /// Makes a unary call, and returns the response.
  mutating func call(
    _ path: String,
    _ text: String = "hello",
    stream: UInt32,
    _ more: [(String, String)] = []
  ) async throws -> Reply? {
    try await send([
      headers("/test.Echo/\(path)", stream: stream, more),
      data(Self.framed(text), stream: stream),
    ])
    return try await reply(of: stream)
  }
}
