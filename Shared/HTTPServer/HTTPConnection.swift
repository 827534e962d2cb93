import Core
import HTTPService
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// An HTTP/1.1 connection, on which requests are answered in order.
struct HTTPConnection: Sendable {
  private static let maximumHeaderBytes = 80 << 10
  /// The number of a file's bytes per write.
  private static let fileSliceBytes = 1 << 20
  /// The number of body bytes per write. The server notices that a client reads only when a whole
  /// write is sent.
  private static let sliceBytes = 64 << 10

  let channel: any Channel
  private let requests: AsyncStream<IncomingRequest>
  private let handler: NIOLoopBound<ConnectionHandler>
  private let unread: UnreadResponses

  /// Creates a connection by adding the HTTP/1.1 handlers to a channel. Call it on the channel's
  /// event loop.
  ///
  /// - Parameters:
  ///   - streamsBody: Returns whether a request is passed on before its body has arrived.
  ///   - webSockets: The server of connections that become WebSocket connections, or `nil` if none
  ///     can.
  ///   - limits: The limits of the connection, or `nil` for a port that only this machine can
  ///     reach.
  ///   - idleTime: The time without data after which the connection closes. With `limits`, it
  ///     applies only between requests and while a response is unread.
  init(
    on channel: any Channel,
    policy: any RequestPolicy,
    streamsBody: @escaping (RequestHead) -> Bool,
    webSockets: (any WebSocketServer)?,
    limits: ConnectionLimits?,
    idleTime: Duration,
    unread: UnreadResponses,
    onRefusal: @escaping @Sendable (RefusedRequest) -> Void
  ) throws {
    let (requests, continuation) = AsyncStream<IncomingRequest>.makeStream()
    let progress = RequestProgress()
    let handler = ConnectionHandler(
      policy,
      streamsBody: streamsBody,
      lingering: (limits ?? ConnectionLimits()).lingering,
      progress,
      requests: continuation
    )
    var decoderLimits = NIOHTTPDecoderLimitConfiguration()
    decoderLimits.maxHeaderFieldSize = Self.maximumHeaderBytes
    decoderLimits.maxHeaderListSize = Self.maximumHeaderBytes
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(IdleStateHandler(allTimeout: TimeAmount(idleTime)))
    if let limits {
      try pipeline.addHandler(RequestDeadlines(limits, progress, onRefusal: onRefusal))
    }
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false,
      withServerUpgrade: webSockets.map { webSockets in
        let upgrader = Self.upgrader(
          webSockets,
          policy,
          unread,
          idleTime: idleTime,
          replacing: NIOLoopBound(handler, eventLoop: channel.eventLoop)
        )
        return (upgraders: [upgrader], completionHandler: { _ in })
      },
      withErrorHandling: false,
      withOutboundHeaderValidation: true,
      withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: decoderLimits
    )
    try pipeline.addHandler(handler)
    self.channel = channel
    self.requests = requests
    self.unread = unread
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
  }

  /// Returns the handler of requests for WebSocket connections. A request that the policy refuses
  /// isn't upgraded, so it gets the policy's answer.
  private static func upgrader(
    _ server: any WebSocketServer,
    _ policy: any RequestPolicy,
    _ unread: UnreadResponses,
    idleTime: Duration,
    replacing handler: NIOLoopBound<ConnectionHandler>
  ) -> NIOWebSocketServerUpgrader {
    NIOWebSocketServerUpgrader(
      maxFrameSize: server.maximumMessageBytes,
      automaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        let request = RequestHead(head)
        let isAccepted = policy.answer(to: request) == nil && server.handler(for: request) != nil
        return channel.eventLoop.makeSucceededFuture(isAccepted ? [:] : nil)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          guard let makeHandler = server.handler(for: RequestHead(head)) else { return }
          let frames = WebSocketFrames(
            maximumMessageBytes: server.maximumMessageBytes,
            unread: unread
          )
          let pipeline = channel.pipeline.syncOperations
          pipeline.removeHandler(handler.value, promise: nil)
          // Only what a client sends shows that it is still there.
          try pipeline.addHandler(IdleStateHandler(readTimeout: TimeAmount(idleTime / 2)))
          try pipeline.addHandler(frames)
          frames.open(makeHandler(WebSocketConnection(channel, frames)))
        }
      }
    )
  }

  /// Answers requests until the connection closes. If the task is cancelled, closes the connection
  /// at once.
  func serve(_ responder: HTTPResponder) async {
    await withTaskCancellationHandler {
      for await request in requests {
        // If the client has disconnected, don't begin its pending requests.
        guard channel.isActive else { break }
        await send(responder.respond(to: request), to: request)
      }
      perform { $0.finish() }
      try? await channel.closeFuture.get()
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  private func send(_ response: ServiceResponse, to request: IncomingRequest) async {
    if response.isCut { return await reset() }
    let isHead = request.head?.method == "HEAD"
    if let file = response.file {
      return await send(file, of: response, to: request, isHead: isHead)
    }
    guard let stream = response.stream else {
      if !isHead, response.body.count > Self.sliceBytes, response.mayHaveBody {
        return await sendInSlices(response, to: request)
      }
      perform { $0.write(response, to: request) }
      return await waitForReader()
    }
    perform { $0.begin(response, to: request, length: isHead ? 0 : nil) }
    if !isHead {
      let answer = unread.begin(on: channel)
      defer { unread.end(answer) }
      do {
        // A long response must not occupy the event loop.
        let work = Task(executorPreference: globalConcurrentExecutor) {
          var writer: any ServiceResponseWriter = BodyWriter(connection: self, answer: answer)
          try await stream(&writer)
          try await writer.flush()
        }
        if response.endsWithClient { perform { $0.onInputClosed { work.cancel() } } }
        try await withTaskCancellationHandler {
          try await work.value
        } onCancel: {
          work.cancel()
        }
      } catch {
        return channel.close(promise: nil)
      }
    }
    perform { $0.end(request) }
  }

  /// Sends a part of a file. Its bytes take no memory, so they don't count as unread.
  private func send(
    _ file: FileBody,
    of response: ServiceResponse,
    to request: IncomingRequest,
    isHead: Bool
  ) async {
    perform { $0.begin(response, to: request, length: Int(file.count)) }
    if !isHead, file.count > 0 {
      let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.descriptor)
      // The file's owner closes it.
      defer { _ = try? handle.takeDescriptorOwnership() }
      do {
        var position = Int(file.offset)
        let end = position + Int(file.count)
        while position < end {
          let next = min(position + Self.fileSliceBytes, end)
          // The system would send nothing of a file that has become shorter, again and again.
          guard file.hasBytes(upTo: Int64(next)) else { throw ChannelError.eof }
          let region = FileRegion(fileHandle: handle, readerIndex: position, endIndex: next)
          try await write(.fileRegion(region))
          position = next
        }
      } catch {
        return channel.close(promise: nil)
      }
    }
    withExtendedLifetime(file.owner) {}
    perform { $0.end(request) }
  }

  /// Sends a long body in pieces. Each piece is written when the piece before it is sent.
  private func sendInSlices(_ response: ServiceResponse, to request: IncomingRequest) async {
    perform { $0.begin(response, to: request, length: response.body.count) }
    let answer = unread.begin(on: channel)
    defer { unread.end(answer) }
    do {
      try await write(response.body, of: answer)
    } catch {
      return channel.close(promise: nil)
    }
    perform { $0.end(request) }
  }

  /// If the client reads too slowly, waits until the last response is sent, so that unread
  /// responses don't accumulate.
  private func waitForReader() async {
    let eventLoop = channel.eventLoop
    // If this code doesn't run on the event loop, the response may not be written yet.
    if eventLoop.inEventLoop, channel.isWritable { return }
    try? await eventLoop.flatSubmit {
      let written = channel.isWritable ? nil : handler.value.written
      return written ?? eventLoop.makeSucceededVoidFuture()
    }.get()
  }

  /// Runs `work` on the event loop, after work that was submitted earlier.
  private func perform(_ work: @escaping @Sendable (ConnectionHandler) -> Void) {
    if channel.eventLoop.inEventLoop {
      work(handler.value)
    } else {
      channel.eventLoop.execute { work(handler.value) }
    }
  }

  /// Writes a piece and waits until it is sent.
  ///
  /// - Throws: An error if the connection has closed.
  private func write(_ piece: IOData) async throws {
    let promise = channel.eventLoop.makePromise(of: Void.self)
    perform { $0.write(piece, promise) }
    try await promise.futureResult.get()
  }

  /// Writes long data in pieces, and waits until all of it is sent.
  fileprivate func write(_ piece: Data, of answer: Int) async throws {
    var rest = piece[...]
    while !rest.isEmpty {
      unread.set(rest.count, of: answer)
      try await write(.byteBuffer(ByteBuffer(bytes: rest.prefix(Self.sliceBytes))))
      rest = rest.dropFirst(Self.sliceBytes)
    }
    unread.set(0, of: answer)
  }

  /// Resets the connection, so that the client gets an error instead of the end of a response.
  private func reset() async {
    if let socket = channel as? any SocketOptionProvider {
      try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try? await channel.close()
  }
}

/// A writer of a response's body that waits while the client doesn't read.
///
/// It collects small pieces and sends them together, because it waits for each write.
private struct BodyWriter: ServiceResponseWriter {
  private static let chunk = 32 * 1024

  let connection: HTTPConnection
  /// The response's number in `UnreadResponses`.
  let answer: Int
  private var pending = Data()

  init(connection: HTTPConnection, answer: Int) {
    self.connection = connection
    self.answer = answer
  }

  mutating func write(_ bytes: Data) async throws {
    // Don't copy long data, because the copy would use memory until the client has read it.
    if bytes.count >= Self.chunk {
      try await flush()
      return try await connection.write(bytes, of: answer)
    }
    pending += bytes
    if pending.count >= Self.chunk { try await flush() }
  }

  mutating func flush() async throws {
    guard !pending.isEmpty else { return }
    let piece = pending
    pending = Data()
    try await connection.write(piece, of: answer)
  }
}

extension WebSocketServer {
  fileprivate func handler(for head: RequestHead) -> MakeHandler? {
    (try? ServiceRequest(head, body: Data())).flatMap { handler(for: $0) }
  }
}
