import HTTPService
import NIOCore
import NIOHTTP1
import Platform

/// One connection of HTTP/1.1: its requests in turn, and their answers.
struct HTTPConnection: Sendable {
  private static let maximumHeaderBytes = 80 << 10

  let channel: any Channel
  private let requests: AsyncStream<IncomingRequest>
  private let handler: NIOLoopBound<ConnectionHandler>

  /// Has a channel speak HTTP/1.1, on its event loop.
  ///
  /// - Parameters:
  ///   - limits: nil for a port that only its own machine reaches.
  ///   - idleTime: how long there may be nothing; with limits only between requests.
  init(
    on channel: any Channel,
    policy: any RequestPolicy,
    limits: ConnectionLimits?,
    idleTime: Duration,
    onRefusal: @escaping @Sendable (RefusedRequest) -> Void
  ) throws {
    let (requests, continuation) = AsyncStream<IncomingRequest>.makeStream()
    let progress = RequestProgress()
    let handler = ConnectionHandler(
      policy,
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
      withErrorHandling: false,
      withOutboundHeaderValidation: true,
      withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: decoderLimits
    )
    try pipeline.addHandler(handler)
    self.channel = channel
    self.requests = requests
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
  }

  /// Answers its requests until it has ended, which it does at once if the task is cancelled.
  func serve(_ responder: HTTPResponder) async {
    await withTaskCancellationHandler {
      for await request in requests {
        // Of whoever has left, the requests that are still to be answered aren't begun.
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
    guard let stream = response.stream else {
      perform { $0.write(response, to: request) }
      return await waitForReader()
    }
    let isHead = request.head?.method == "HEAD"
    perform { $0.begin(response, to: request, length: isHead ? 0 : nil) }
    if !isHead {
      do {
        // A long answer takes its time, and nobody else's.
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
          var writer: any ServiceResponseWriter = BodyWriter(connection: self)
          try await stream(&writer)
          try await writer.flush()
        }
      } catch {
        return channel.close(promise: nil)
      }
    }
    perform { $0.end(request) }
  }

  /// Returns when there is room for another answer: those that a client doesn't read would pile up.
  private func waitForReader() async {
    let eventLoop = channel.eventLoop
    // Off the loop, the answer is written only when its turn has come.
    if eventLoop.inEventLoop, channel.isWritable { return }
    try? await eventLoop.flatSubmit {
      let written = channel.isWritable ? nil : handler.value.written
      return written ?? eventLoop.makeSucceededVoidFuture()
    }.get()
  }

  /// In turn with whatever else is done on the event loop.
  private func perform(_ work: @escaping @Sendable (ConnectionHandler) -> Void) {
    if channel.eventLoop.inEventLoop {
      work(handler.value)
    } else {
      channel.eventLoop.execute { work(handler.value) }
    }
  }

  /// Returns when the piece has gone out.
  ///
  /// - Throws: if the connection has ended.
  fileprivate func write(_ piece: ByteBuffer) async throws {
    let promise = channel.eventLoop.makePromise(of: Void.self)
    perform { $0.write(piece, promise) }
    try await promise.futureResult.get()
  }

  /// Closes the connection as one whose other side is gone: the client reads no end but an error.
  private func reset() async {
    if let socket = channel as? any SocketOptionProvider {
      try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try? await channel.close()
  }
}

/// Waits while the client doesn't read.
///
/// Small pieces are sent together: each has a write of its own otherwise, and waits for it.
private struct BodyWriter: ServiceResponseWriter {
  private static let chunk = 32 * 1024

  let connection: HTTPConnection
  private var pending = ByteBuffer()

  init(connection: HTTPConnection) { self.connection = connection }

  mutating func write(_ bytes: Data) async throws {
    pending.writeBytes(bytes)
    if pending.readableBytes >= Self.chunk { try await flush() }
  }

  mutating func flush() async throws {
    guard pending.readableBytes > 0 else { return }
    let piece = pending
    pending = ByteBuffer()
    try await connection.write(piece)
  }
}
