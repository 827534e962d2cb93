import Core
import HTTPService
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The handler of one connection's requests and responses. It runs on the connection's event loop.
///
/// It reads complete requests, passes them on in order, and writes their responses in that order.
/// The connection closes in three cases: after the last response that its client wants, when the
/// server shuts down, and after the response to a request that isn't read to its end.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = Never
  typealias OutboundOut = HTTPServerResponsePart

  /// The limits of requests that have no response yet: their number, and the size of their bodies.
  /// Above a limit, reading pauses.
  private static let maximumRequestsAhead = 8
  private static let maximumBytesAhead = 64 << 10

  private enum Reading {
    /// Between requests, or within a request's head.
    case head
    case body(IncomingRequest, ByteBuffer)
    /// The body of a request that was passed on before its body.
    case stream(RequestBody, isLast: Bool)
    /// The rest of a request's body, which is ignored because the response doesn't depend on it.
    case rest(isLast: Bool)
    /// No request: all further input is ignored.
    case nothing
  }

  private let policy: any RequestPolicy
  private let streamsBody: (RequestHead) -> Bool
  /// The maximum size of the present request's body in bytes.
  private var maximumBodyBytes = 0
  private let lingering: Duration
  private let progress: RequestProgress
  private let requests: AsyncStream<IncomingRequest>.Continuation
  private var context: ChannelHandlerContext?

  private var reading = Reading.head
  /// A Boolean value that indicates whether the client waits for 100 Continue.
  private var isExpecting = false
  /// The number of requests that were passed on but have no response yet.
  private var owed = 0
  private var owedBytes = 0
  /// A Boolean value that indicates whether reading is paused until a response is sent.
  private var isHeld = false
  private var serverEnds = false
  private var isInputClosed = false
  /// A closure that is called when the client closes its side during the response in progress.
  private var inputClosed: (() -> Void)?
  /// A Boolean value that indicates whether the connection closes after the response in progress.
  private var endsWithAnswer = false
  /// A future that completes when the last write was sent.
  private(set) var written: EventLoopFuture<Void>?
  /// The number of pieces of a response's body that were written but aren't sent yet.
  private var unreadPieces = 0

  /// - Parameters:
  ///   - streamsBody: Returns whether a request is passed on before its body has arrived.
  ///   - lingering: The time for which the connection stays open after its last response, so that
  ///     the client can read the response.
  ///   - requests: The stream to which requests are passed on, in order.
  init(
    _ policy: any RequestPolicy,
    streamsBody: @escaping (RequestHead) -> Bool,
    lingering: Duration,
    _ progress: RequestProgress,
    requests: AsyncStream<IncomingRequest>.Continuation
  ) {
    self.policy = policy
    self.streamsBody = streamsBody
    self.lingering = lingering
    self.progress = progress
    self.requests = requests
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    requests.finish()
    self.context = nil
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .nothing = reading { return }
    guard progress.phase != .over else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): read(head)
    case .body(let bytes): read(bytes)
    case .end: readEnd()
    }
  }

  private func read(_ head: HTTPRequestHead) {
    var head = head
    do throws(StatusError) {
      try head.checkFraming()
    } catch {
      return end(with: IncomingRequest(head: RequestHead(head)), error)
    }
    let request = RequestHead(head)
    var incoming = IncomingRequest(head: request, version: head.version, isLast: head.isLast)
    progress.phase = .body
    progress.isHead = head.method == .HEAD
    maximumBodyBytes = policy.maximumBodyBytes(of: request)
    if let answer = policy.answer(to: request) {
      incoming.content = .answer(answer)
    } else if streamsBody(request) {
      return stream(incoming, isExpecting: head.isExpecting)
    } else if request.statedLength > maximumBodyBytes {
      incoming.content = .refusal(tooLarge, status: 413)
    } else {
      reading = .body(incoming, ByteBuffer())
      isExpecting = head.isExpecting
      return askForBody()
    }
    reading = .rest(isLast: incoming.isLast)
    hand(on: incoming)
  }

  /// Passes on a request whose body the service reads while it arrives.
  private func stream(_ request: IncomingRequest, isExpecting: Bool) {
    guard let context else { return }
    let body = RequestBody()
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let eventLoop = context.eventLoop
    body.onDemand { eventLoop.execute { handler.value.readOn() } }
    var request = request
    request.content = .stream(body)
    reading = .stream(body, isLast: request.isLast)
    self.isExpecting = isExpecting
    hand(on: request)
    askForBody()
  }

  private var tooLarge: StatusError {
    StatusError(.invalidArgument, "the body is larger than \(maximumBodyBytes >> 20) MiB")
  }

  private func read(_ bytes: ByteBuffer) {
    if case .stream(let body, _) = reading {
      isExpecting = false
      return body.append(Data(bytes.readableBytesView))
    }
    guard case .body(var request, var body) = reading else { return }
    isExpecting = false
    reading = .rest(isLast: request.isLast)
    guard body.readableBytes + bytes.readableBytes <= maximumBodyBytes else {
      request.content = .refusal(tooLarge, status: 413)
      return hand(on: request)
    }
    if body.readableBytes == 0 { body = bytes } else { body.writeImmutableBuffer(bytes) }
    reading = .body(request, body)
  }

  private func readEnd() {
    isExpecting = false
    progress.phase = .idle
    progress.isHead = false
    progress.unanswered += 1
    switch reading {
    case .head, .nothing: break
    case .rest(let isLast): reading = isLast ? .nothing : .head
    case .stream(let body, let isLast):
      reading = isLast ? .nothing : .head
      body.finish()
    case .body(var request, let body):
      reading = request.isLast ? .nothing : .head
      request.content = .body(Data(body.readableBytesView))
      hand(on: request)
    }
  }

  private func hand(on request: IncomingRequest) {
    owed += 1
    owedBytes += request.byteCount
    requests.yield(request)
  }

  /// Passes on an invalid request, to be answered with an error, and stops reading.
  private func end(with request: IncomingRequest, _ error: StatusError) {
    var request = request
    request.content = .refusal(error, status: error.code.httpStatus)
    reading = .nothing
    isExpecting = false
    // Treat the head as complete, although its rest isn't read: `body` is the phase after the head.
    progress.phase = .body
    hand(on: request)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // After its first error, the parser reports an error for each further byte: ignore these.
    if case .nothing = reading { return }
    // A request that isn't upgraded is answered as any other.
    if error is NIOWebSocketUpgradeError { return }
    guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
    guard progress.phase != .over else { return }
    switch reading {
    case .nothing, .rest: reading = .nothing
    case .body(let request, _): end(with: request, .malformedBody)
    case .stream(let body, _):
      reading = .nothing
      body.finish(throwing: .malformedBody)
    // A client that disconnects within a head expects no response.
    case .head where error == .invalidEOFState: reading = .nothing
    case .head:
      end(with: IncomingRequest(), StatusError(.invalidArgument, error.reason))
    }
  }

  /// Sends 100 Continue if the client waits for it and all earlier requests have responses.
  ///
  /// Before curl sends a body of more than a mebibyte, it waits for 100 Continue, at most a second.
  private func askForBody() {
    guard isExpecting, owed == (isStreaming ? 1 : 0), let context else { return }
    isExpecting = false
    let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
  }

  /// A Boolean value that indicates whether the request that is being read was passed on already.
  private var isStreaming: Bool { if case .stream = reading { true } else { false } }

  // MARK: Backpressure

  func read(context: ChannelHandlerContext) {
    isHeld = !mayRead(context)
    if !isHeld { context.read() }
  }

  /// Returns whether to continue reading. The result is `false` while the client doesn't read its
  /// responses, or has pipelined too many requests.
  private func mayRead(_ context: ChannelHandlerContext) -> Bool {
    if case .stream(let body, _) = reading, body.isFull { return false }
    let isAhead = owed > Self.maximumRequestsAhead || owedBytes > Self.maximumBytesAhead
    return !isAhead && context.channel.isWritable
  }

  private func readOn() {
    guard isHeld, let context, mayRead(context) else { return }
    isHeld = false
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    readOn()
    context.fireChannelWritabilityChanged()
  }

  // MARK: Answering

  /// Writes a complete response.
  func write(_ response: ServiceResponse, to request: IncomingRequest) {
    guard let context, progress.phase != .over else { return }
    begin(response, to: request, length: response.body.count)
    if request.head?.method != "HEAD", !response.body.isEmpty, response.mayHaveBody {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))),
        promise: nil
      )
    }
    end(request)
  }

  /// Writes a response's head.
  ///
  /// - Parameter length: The length of the body, or `nil` if it is sent in chunks.
  func begin(_ response: ServiceResponse, to request: IncomingRequest, length: Int?) {
    guard let context, progress.phase != .over else { return }
    var headers = HTTPHeaders()
    headers.reserveCapacity(response.headers.count + 4)
    var isLast = request.isLast
    for (name, value) in response.headers where name.isHTTPToken {
      headers.add(name: name, value: value.fieldValue)
    }
    for (name, value) in policyHeaders(of: request) {
      // Don't copy the header `connection`: the code below decides whether to send it.
      if name == "connection" {
        isLast = true
      } else {
        headers.replaceOrAdd(name: name, value: value.fieldValue)
      }
    }
    // A fault that the emulator simulates may set its own date.
    if !headers.contains(name: "date") { headers.add(name: "date", value: HTTPDate.now) }
    if let length, !headers.contains(name: "content-length") {
      headers.add(name: "content-length", value: String(length))
    }
    if progress.unanswered == 0 { progress.hasAnswer = true }
    // Don't announce the close while another complete request waits for its response.
    endsWithAnswer = progress.unanswered == 0 || (progress.unanswered == 1 && isLast)
    if endsWithAnswer { headers.add(name: "connection", value: "close") }
    let head = HTTPResponseHead(
      version: request.version,
      status: HTTPResponseStatus(statusCode: response.status),
      headers: headers
    )
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    // Send the head now, because the body may take a while.
    if length == nil { context.flush() }
  }

  private func policyHeaders(of request: IncomingRequest) -> [(name: String, value: String)] {
    request.head.map { policy.headers(for: $0) } ?? []
  }

  /// Writes a piece of a response's body.
  ///
  /// - Parameter promise: Completed when the piece is sent.
  func write(_ piece: IOData, _ promise: EventLoopPromise<Void>) {
    guard let context, progress.phase != .over else {
      return promise.fail(ChannelError.ioOnClosedChannel)
    }
    unreadPieces += 1
    promise.futureResult.assumeIsolated().whenComplete { _ in self.unreadPieces -= 1 }
    context.writeAndFlush(wrapOutboundOut(.body(piece)), promise: promise)
  }

  /// Ends a response.
  func end(_ request: IncomingRequest) {
    inputClosed = nil
    stopReading(bodyOf: request)
    guard let context, progress.phase != .over else { return }
    let promise = context.eventLoop.makePromise(of: Void.self)
    written = promise.futureResult
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    owed -= 1
    owedBytes -= request.byteCount
    guard !endsWithAnswer else {
      progress.phase = .over
      requests.finish()
      return drainInput(context)
    }
    progress.unanswered -= 1
    askForBody()
    if progress.awaitsRest { context.triggerUserOutboundEvent(RestIsAwaited(), promise: nil) }
    closeIfIdle(context)
    readOn()
  }

  /// Ignores the rest of a body that the service hasn't read to its end.
  private func stopReading(bodyOf request: IncomingRequest) {
    guard case .stream(let body, let isLast) = reading, case .stream(let own) = request.content,
      body === own
    else { return }
    reading = .rest(isLast: isLast)
    isExpecting = false
  }

  // MARK: Ending

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      serverEnds = true
      closeIfIdle(context)
    case ChannelEvent.inputClosed:
      closeInput()
      if progress.phase == .over { close(context) }
    case is IdleStateHandler.IdleStateEvent:
      // The client has read nothing for the idle time, so close the connection even if the response
      // isn't complete.
      if owed == 0 || progress.phase == .over || unreadPieces > 0 || isWaitingForBody {
        context.close(promise: nil)
      }
    default: break
    }
  }

  /// A Boolean value that indicates whether a service waits for the client's next bytes.
  private var isWaitingForBody: Bool {
    if case .stream(let body, _) = reading { !body.isFull } else { false }
  }

  func channelInactive(context: ChannelHandlerContext) {
    progress.phase = .over
    if case .stream(let body, _) = reading {
      reading = .nothing
      body.finish(
        throwing: StatusError(.cancelled, "the client disconnected before the end of the body")
      )
    }
    closeInput()
    context.fireChannelInactive()
  }

  private func closeInput() {
    requests.finish()
    isInputClosed = true
    inputClosed?()
    inputClosed = nil
  }

  /// Calls a closure when the client closes its side of the connection during the response in
  /// progress, or now if it has closed it already.
  func onInputClosed(_ body: @escaping () -> Void) {
    if isInputClosed { body() } else { inputClosed = body }
  }

  /// Closes the connection if the server is shutting down and no request is in progress.
  private func closeIfIdle(_ context: ChannelHandlerContext) {
    guard serverEnds, owed == 0, progress.phase == .idle else { return }
    progress.phase = .over
    requests.finish()
    close(context)
  }

  /// Closes the connection after the last response.
  func finish() {
    guard let context, progress.phase != .over else { return }
    progress.phase = .over
    close(context)
  }

  /// Closes the connection as soon as the last write is sent.
  private func close(_ context: ChannelHandlerContext) {
    guard let written else { return context.close(promise: nil) }
    written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }

  /// Closes the output when the response is sent, and the input after the time `lingering`. If the
  /// input were closed while the client still sends, the client would lose the response. The time
  /// begins when the response is sent, because a long response takes longer to send.
  private func drainInput(_ context: ChannelHandlerContext) {
    let lingering = TimeAmount(lingering)
    written?.assumeIsolated().whenComplete { _ in
      context.close(mode: .output, promise: nil)
      context.eventLoop.assumeIsolated().scheduleTask(in: lingering) {
        context.close(promise: nil)
      }
    }
  }
}

extension HTTPRequestHead {
  /// A Boolean value that indicates whether the client waits for 100 Continue before it sends the
  /// body.
  fileprivate var isExpecting: Bool {
    version == .http1_1 && headers["expect"].first?.lowercased() == "100-continue"
  }
}

extension StatusError {
  fileprivate static let malformedBody = StatusError(
    .invalidArgument,
    "the body is cut off or malformed"
  )
}
