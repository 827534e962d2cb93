import Core
import NIOCore
import NIOHPACK
import NIOHTTP2

extension RPCConnection {
  /// Begins a call when its headers have arrived.
  func open(_ id: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload.Headers) {
    let request = RPCRequest(payload.headers)
    var rpc = RPCContext(path: request.path, metadata: RPCMetadata(payload.headers))
    let method = request.isGRPC ? server.service.method(request.path) : nil
    let stream = RPCStream(
      id: id,
      kind: method?.kind,
      context: rpc,
      reader: MessageReader(
        isGzipped: request.encoding == "gzip",
        limit: server.limits.messageBytes
      )
    )
    stream.isHalfClosed = payload.endStream
    stream.gzipsResponses = request.encoding == "gzip" && request.acceptsGzip
    streams[id] = stream

    guard request.isGRPC else { return refuse(stream, request) }
    do throws(StatusError) {
      if let timeout = request.timeout {
        rpc.deadline = .now + (try RPCTimeout.parse(timeout))
        stream.context = rpc
      }
      try check(request, method: method)
    } catch {
      return end(stream, error)
    }
    fresh.append(stream)
    switch stream.kind {
    case .bidirectional(let handler): start(handler, for: stream)
    case .refusing(let error): return end(stream, error)
    case .unary, .serverStreaming, nil: break
    }
    if payload.endStream { receiveEnd(of: stream) }
  }

  private func check(_ request: RPCRequest, method: RPCMethod?) throws(StatusError) {
    guard isAllowed(request.authority) else {
      throw StatusError(
        .permissionDenied,
        "Host \"\(request.authority)\" is not allowed: start the emulator with --allow-host NAME"
      )
    }
    guard request.method == "POST" else {
      throw StatusError(.invalidArgument, "gRPC needs the method POST, not \(request.method)")
    }
    guard method != nil else {
      throw StatusError(.unimplemented, "there is no method \(request.path)")
    }
    guard request.encoding == nil || request.encoding == "gzip" else {
      throw StatusError(
        .unimplemented,
        "grpc-encoding \(request.encoding ?? "") is not supported: use identity or gzip"
      )
    }
  }

  /// Refuses an HTTP/2 request that isn't gRPC.
  private func refuse(_ stream: RPCStream, _ request: RPCRequest) {
    guard isAllowed(request.authority) else {
      return answer(
        stream,
        status: "403",
        "this Host is not allowed: start the emulator with --allow-host NAME\n"
      )
    }
    answer(stream, status: "415", "HTTP/2 is only for gRPC here: use HTTP/1.1 for REST\n")
  }

  func receive(_ payload: HTTP2Frame.FramePayload.Data, for stream: RPCStream) {
    guard case .byteBuffer(var bytes) = payload.data else { return }
    stream.receivedBytes += bytes.readableBytes + (payload.paddingBytes.map { $0 + 1 } ?? 0)
    stream.isHalfClosed = payload.endStream
    stream.reader.append(&bytes)
    do throws(StatusError) {
      while let message = try stream.reader.next() { try receive(message, for: stream) }
      try hold(stream)
    } catch {
      return end(stream, error)
    }
    if payload.endStream {
      receiveEnd(of: stream)
    } else {
      grantWindow(to: stream)
    }
  }

  private func receive(_ message: ByteBuffer, for stream: RPCStream) throws(StatusError) {
    if let input = stream.input {
      let bytes = message.readableBytes + ByteBuffer.frameHeaderLength
      stream.unreadBytes += bytes
      input.append(.init(payload: message, windowBytes: bytes))
    } else if stream.request == nil {
      stream.request = message
    } else {
      throw StatusError(.invalidArgument, "\(stream.context.path) takes only one message")
    }
  }

  /// Updates the number of bytes that the stream keeps in memory.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED` if all streams of the connection together exceed the limit.
  private func hold(_ stream: RPCStream) throws(StatusError) {
    let bytes =
      stream.reader.pendingBytes + stream.unreadBytes + (stream.request?.readableBytes ?? 0)
    heldRequestBytes += bytes - stream.heldBytes
    stream.heldBytes = bytes
    guard heldRequestBytes <= server.limits.heldRequestBytes else {
      throw StatusError(
        .resourceExhausted,
        "the unfinished requests on this connection exceed \(server.limits.heldRequestBytes) bytes"
      )
    }
  }

  /// Handles the end of the client's messages. If the method takes one request, runs its handler.
  func receiveEnd(of stream: RPCStream) {
    stream.isHalfClosed = true
    do throws(StatusError) {
      guard stream.reader.pendingBytes == 0 else {
        throw StatusError(.invalidArgument, "the stream ended within a message")
      }
      if let input = stream.input { return input.finish(.success(())) }
      guard let request = stream.request else {
        throw StatusError(
          .invalidArgument,
          "\(stream.context.path) takes one request message, but none came"
        )
      }
      stream.request = nil
      heldRequestBytes -= stream.heldBytes
      stream.heldBytes = 0
      try run(stream, request)
    } catch {
      end(stream, error)
    }
  }

  private func run(_ stream: RPCStream, _ request: ByteBuffer) throws(StatusError) {
    switch stream.kind {
    case .unary(let handler):
      switch try handler(request, stream.context) {
      case .done(let response): answer(stream, response)
      case .blocked(let wait):
        let call = handle(of: stream)
        stream.task = Task {
          do throws(StatusError) {
            let response = try await wait()
            call.perform { $0.answer($1, response) }
          } catch {
            call.perform { $0.end($1, error) }
          }
        }
      }
    case .serverStreaming(let handler):
      let output = makeOutput(for: stream)
      let rpc = stream.context
      start(stream) { () throws(StatusError) in try await handler(request, rpc, output) }
    case .bidirectional, .refusing, nil: break
    }
  }

  private func start(_ handler: @escaping RPCMethod.Bidirectional, for stream: RPCStream) {
    let call = handle(of: stream)
    let input = RPCInput { bytes in call.perform { $0.handlerHasRead(bytes, of: $1) } }
    stream.input = input
    let output = makeOutput(for: stream)
    let rpc = stream.context
    start(stream) { () throws(StatusError) in try await handler(input, rpc, output) }
  }

  private func start(
    _ stream: RPCStream,
    _ handler: @escaping @Sendable () async throws(StatusError) -> Void
  ) {
    let call = handle(of: stream)
    stream.task = Task {
      do throws(StatusError) {
        try await handler()
        call.perform { $0.end($1, nil) }
      } catch {
        call.perform { $0.end($1, error) }
      }
    }
  }

  // MARK: Windows and time

  private func handlerHasRead(_ bytes: Int, of stream: RPCStream) {
    guard !stream.isEnded else { return }
    stream.unreadBytes -= bytes
    heldRequestBytes -= bytes
    stream.heldBytes -= bytes
    grantWindow(to: stream)
  }

  /// Extends the client's window by the bytes that the handler has read, and by the bytes of
  /// incomplete messages. Otherwise, the rest of a message that is larger than the window couldn't
  /// arrive.
  private func grantWindow(to stream: RPCStream) {
    guard !stream.isHalfClosed, !stream.isEnded else { return }
    let bytes = stream.receivedBytes - stream.unreadBytes - stream.grantedBytes
    guard bytes >= server.limits.streamWindow / 4 else { return }
    stream.grantedBytes += bytes
    write(.windowUpdate(windowSizeIncrement: bytes), on: stream.id)
    flushSoon()
  }

  /// Starts the call's timer, if the call needs one.
  ///
  /// The timer ends at the call's deadline. While the request is incomplete, the time limit for
  /// requests applies, too, and the timer ends at the earlier time.
  func arm(_ stream: RPCStream) {
    guard stream.timer == nil, let context else { return }
    var delay = stream.context.deadline.map { $0 - .now }
    if stream.isAwaitingRequest {
      delay = min(delay ?? server.limits.requestTime, server.limits.requestTime)
    }
    guard let delay else { return }
    // A client may set a deadline in thousands of years, for which NIO can't set a timer.
    let day = Duration.seconds(86_400)
    stream.timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(min(delay, day)))
    {
      stream.timer = nil
      self.timeIsUp(for: stream)
    }
  }

  private func timeIsUp(for stream: RPCStream) {
    guard !stream.isEnded, streams[stream.id] === stream else { return }
    if let deadline = stream.context.deadline, deadline <= .now {
      end(stream, StatusError(.deadlineExceeded, "the call's deadline has passed"))
    } else if stream.isAwaitingRequest {
      end(stream, StatusError(.deadlineExceeded, "the request was not complete in time"))
    } else {
      arm(stream)
    }
  }
}
