import Core
import HTTPService
import NIOCore
import NIOHTTP1

/// One connection's requests and answers, on its event loop: reads requests to their end, hands them
/// on in turn, and writes the answers that come back in that turn.
///
/// A connection ends after an answer that came before its request was whole, since nobody reads the
/// rest; after the last answer that its client wants; and when the server ends.
final class ConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = Never
  typealias OutboundOut = HTTPServerResponsePart

  /// What is read while the requests before it have no answer.
  private static let maximumRequestsAhead = 8
  private static let maximumBytesAhead = 64 << 10

  private enum Reading {
    /// Nothing, or a head.
    case head
    case body(IncomingRequest, ByteBuffer)
    /// What is left of a request whose answer doesn't depend on it.
    case rest(isLast: Bool)
    /// What still comes is nobody's.
    case nothing
  }

  private let policy: any RequestPolicy
  private let lingering: Duration
  private let progress: RequestProgress
  private let requests: AsyncStream<IncomingRequest>.Continuation
  private var context: ChannelHandlerContext?

  private var reading = Reading.head
  /// Whether the client waits to be asked for the body.
  private var isExpecting = false
  /// What was handed on and has no answer.
  private var owed = 0
  private var owedBytes = 0
  /// Whether nothing is read until something is answered.
  private var isHeld = false
  private var serverEnds = false
  /// Whether the connection ends with the answer that is being written.
  private var endsWithAnswer = false
  /// Done when what was written last has gone out.
  private(set) var written: EventLoopFuture<Void>?
  /// Pieces of an answer that haven't gone out.
  private var unreadPieces = 0

  /// - Parameters:
  ///   - lingering: how long the other side has to read the last answer.
  ///   - requests: gets what is to be answered, in turn.
  init(
    _ policy: any RequestPolicy,
    lingering: Duration,
    _ progress: RequestProgress,
    requests: AsyncStream<IncomingRequest>.Continuation
  ) {
    self.policy = policy
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
    if let answer = policy.answer(to: request) {
      incoming.content = .answer(answer)
    } else if request.statedLength > policy.maximumBodyBytes {
      incoming.content = .refusal(tooLarge, status: 413)
    } else {
      reading = .body(incoming, ByteBuffer())
      isExpecting =
        head.version == .http1_1 && request.headers["expect"]?.lowercased() == "100-continue"
      return askForBody()
    }
    reading = .rest(isLast: incoming.isLast)
    hand(on: incoming)
  }

  private var tooLarge: StatusError {
    let mebibytes = policy.maximumBodyBytes >> 20
    return StatusError(.invalidArgument, "the body is larger than \(mebibytes) MiB")
  }

  private func read(_ bytes: ByteBuffer) {
    guard case .body(var request, var body) = reading else { return }
    isExpecting = false
    reading = .rest(isLast: request.isLast)
    guard body.readableBytes + bytes.readableBytes <= policy.maximumBodyBytes else {
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

  /// Answers what is no request, and reads nothing more.
  private func end(with request: IncomingRequest, _ error: StatusError) {
    var request = request
    request.content = .refusal(error, status: error.code.httpStatus)
    reading = .nothing
    isExpecting = false
    // No more of its head is waited for.
    progress.phase = .body
    hand(on: request)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The parser complains of each byte that comes after its error.
    if case .nothing = reading { return }
    guard let error = error as? HTTPParserError else { return context.close(promise: nil) }
    guard progress.phase != .over else { return }
    switch reading {
    case .nothing, .rest: reading = .nothing
    case .body(let request, _):
      end(with: request, StatusError(.invalidArgument, "the body is cut off or malformed"))
    // Whoever leaves in the middle of a head waits for nothing.
    case .head where error == .invalidEOFState: reading = .nothing
    case .head:
      end(with: IncomingRequest(), StatusError(.invalidArgument, error.reason))
    }
  }

  /// Says that one may go on, when all requests before have their answers, and not to who went on
  /// without. curl asks so before bodies of more than a mebibyte, and waits a second.
  private func askForBody() {
    guard isExpecting, owed == 0, let context else { return }
    isExpecting = false
    let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(goOn)), promise: nil)
  }

  // MARK: Whether to read

  func read(context: ChannelHandlerContext) {
    isHeld = !mayRead(context)
    if !isHeld { context.read() }
  }

  /// A client that sends without reading its answers, or many requests at once, waits.
  private func mayRead(_ context: ChannelHandlerContext) -> Bool {
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

  /// Writes a whole answer.
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

  /// Writes an answer's head.
  ///
  /// - Parameter length: of the body; nil if it comes in pieces of any length.
  func begin(_ response: ServiceResponse, to request: IncomingRequest, length: Int?) {
    guard let context, progress.phase != .over else { return }
    var headers = HTTPHeaders()
    headers.reserveCapacity(response.headers.count + 4)
    var isLast = request.isLast
    for (name, value) in response.headers where name.isHTTPToken {
      headers.add(name: name, value: value.fieldValue)
    }
    for (name, value) in policyHeaders(of: request) {
      // Whether it is said is decided below.
      if name == "connection" {
        isLast = true
      } else {
        headers.replaceOrAdd(name: name, value: value.fieldValue)
      }
    }
    // A fault of the emulator may have its own.
    if !headers.contains(name: "date") { headers.add(name: "date", value: HTTPDate.now) }
    if let length, !headers.contains(name: "content-length") {
      headers.add(name: "content-length", value: String(length))
    }
    if progress.unanswered == 0 { progress.hasAnswer = true }
    // That it ends isn't said while another request waits that is whole.
    endsWithAnswer = progress.unanswered == 0 || (progress.unanswered == 1 && isLast)
    if endsWithAnswer { headers.add(name: "connection", value: "close") }
    let head = HTTPResponseHead(
      version: request.version,
      status: HTTPResponseStatus(statusCode: response.status),
      headers: headers
    )
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    // Its pieces may take their time.
    if length == nil { context.flush() }
  }

  private func policyHeaders(of request: IncomingRequest) -> [(name: String, value: String)] {
    request.head.map { policy.headers(for: $0) } ?? []
  }

  /// Writes a piece of an answer's body.
  ///
  /// - Parameter promise: kept when the piece has gone out.
  func write(_ piece: ByteBuffer, _ promise: EventLoopPromise<Void>) {
    guard let context, progress.phase != .over else {
      return promise.fail(ChannelError.ioOnClosedChannel)
    }
    unreadPieces += 1
    promise.futureResult.assumeIsolated().whenComplete { _ in self.unreadPieces -= 1 }
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: promise)
  }

  /// Ends an answer.
  func end(_ request: IncomingRequest) {
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

  // MARK: Ending

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      serverEnds = true
      closeIfIdle(context)
    case ChannelEvent.inputClosed:
      requests.finish()
      if progress.phase == .over { close(context) }
    case is IdleStateHandler.IdleStateEvent:
      // A client that reads nothing for so long loses the rest of its answer.
      if owed == 0 || progress.phase == .over || unreadPieces > 0 { context.close(promise: nil) }
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    progress.phase = .over
    requests.finish()
    context.fireChannelInactive()
  }

  /// Ends a connection that waits for a request, if the server ends.
  private func closeIfIdle(_ context: ChannelHandlerContext) {
    guard serverEnds, owed == 0, progress.phase == .idle else { return }
    progress.phase = .over
    requests.finish()
    close(context)
  }

  /// Everything is answered, and nothing more comes.
  func finish() {
    guard let context, progress.phase != .over else { return }
    progress.phase = .over
    close(context)
  }

  /// Closes when what was written has gone out.
  private func close(_ context: ChannelHandlerContext) {
    guard let written else { return context.close(promise: nil) }
    written.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }

  /// Closes not all at once: a side that still sends would lose the answer with the connection. Its
  /// time runs from when the answer has gone out: a long one takes longer to read.
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
