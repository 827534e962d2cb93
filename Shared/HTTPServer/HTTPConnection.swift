import Core
import HTTPService
import NIOCore
import NIOHTTP1

/// One connection of HTTP/1.1: its requests in turn, and their answers.
struct HTTPConnection: Sendable {
  private static let maximumHeaderBytes = 80 << 10
  /// The bytes of a body that are written at a time: a client that reads as much has read something.
  private static let sliceBytes = 64 << 10

  let channel: any Channel
  private let requests: AsyncStream<IncomingRequest>
  private let handler: NIOLoopBound<ConnectionHandler>
  private let unread: UnreadResponses

  /// Has a channel speak HTTP/1.1, on its event loop.
  ///
  /// - Parameters:
  ///   - limits: nil for a port that only its own machine reaches.
  ///   - idleTime: how long there may be nothing: with limits between requests, without also within
  ///     them, and in either case of an answer that its client doesn't read.
  init(
    on channel: any Channel,
    policy: any RequestPolicy,
    limits: ConnectionLimits?,
    idleTime: Duration,
    unread: UnreadResponses,
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
    self.unread = unread
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
    let isHead = request.head?.method == "HEAD"
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
        // A long answer takes its time, and nobody else's.
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
          var writer: any ServiceResponseWriter = BodyWriter(connection: self, answer: answer)
          try await stream(&writer)
          try await writer.flush()
        }
      } catch {
        return channel.close(promise: nil)
      }
    }
    perform { $0.end(request) }
  }

  /// Sends a long body as it is read. The socket takes little of it while the client doesn't.
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
  private func write(_ piece: ByteBuffer) async throws {
    let promise = channel.eventLoop.makePromise(of: Void.self)
    perform { $0.write(piece, promise) }
    try await promise.futureResult.get()
  }

  /// The same for a piece that may be long and is kept until it has gone out.
  fileprivate func write(_ piece: Data, of answer: Int) async throws {
    var rest = piece[...]
    while !rest.isEmpty {
      unread.set(rest.count, of: answer)
      try await write(ByteBuffer(bytes: rest.prefix(Self.sliceBytes)))
      rest = rest.dropFirst(Self.sliceBytes)
    }
    unread.set(0, of: answer)
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
  /// Its number among those that aren't read.
  let answer: Int
  private var pending = Data()

  init(connection: HTTPConnection, answer: Int) {
    self.connection = connection
    self.answer = answer
  }

  mutating func write(_ bytes: Data) async throws {
    // What is long is sent as it is: a copy would be held as long as nobody reads it.
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
