import Core
import NIOCore
import NIOHPACK
import NIOHTTP2

extension RPCConnection {
  private static let headers: HPACKHeaders = [
    ":status": "200", "content-type": "application/grpc",
    "grpc-accept-encoding": "identity,gzip",
  ]
  private static let gzipHeaders: HPACKHeaders = [
    ":status": "200", "content-type": "application/grpc", "grpc-encoding": "gzip",
    "grpc-accept-encoding": "identity,gzip",
  ]
  /// The minimum size, in bytes, of a unary response that counts toward the connection's limit of
  /// unsent bytes.
  private static let largeAnswer = 16 * 1024

  func makeOutput(for stream: RPCStream) -> RPCOutput {
    let call = handle(of: stream)
    let output = RPCOutput(
      highWatermark: server.limits.writeAheadBytes,
      isGzipped: stream.gzipsResponses
    ) {
      call.perform { $0.sendOutput(of: $1) }
    }
    stream.output = output
    return output
  }

  /// Sends the response of a unary call.
  func answer(_ stream: RPCStream, _ response: ByteBuffer) {
    guard !stream.isEnded else { return }
    let size = response.readableBytes
    guard size < Self.largeAnswer || heldResponseBytes + size <= server.limits.heldResponseBytes
    else {
      let error =
        "over \(server.limits.heldResponseBytes) bytes of responses are unread on this connection"
      return end(stream, StatusError(.resourceExhausted, error))
    }
    do throws(StatusError) {
      let frame = stream.gzipsResponses ? try Gzip.deflate(frame: response) : response
      sendHeaders(of: stream)
      send(frame, on: stream)
      end(stream, nil)
    } catch {
      end(stream, error)
    }
  }

  private func sendHeaders(of stream: RPCStream) {
    guard !stream.hasSentHeaders else { return }
    stream.hasSentHeaders = true
    let headers = stream.gzipsResponses ? Self.gzipHeaders : Self.headers
    write(.headers(.init(headers: headers)), on: stream.id)
  }

  private func send(_ frame: ByteBuffer, on stream: RPCStream) {
    let payload = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(frame)))
    let size = frame.readableBytes
    guard stream.output != nil || size >= Self.largeAnswer, let context else {
      return write(payload, on: stream.id)
    }
    heldResponseBytes += size
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { [output = stream.output] _ in
      self.heldResponseBytes -= size
      output?.sent(size)
    }
    write(payload, on: stream.id, promise: sent)
  }

  /// Sends the frames that a streaming handler has written.
  private func sendOutput(of stream: RPCStream) {
    guard !stream.isEnded, let frames = stream.output?.collect(), !frames.isEmpty else { return }
    sendHeaders(of: stream)
    for frame in joined(frames) { send(frame, on: stream) }
    flushSoon()
  }

  /// Joins small frames into larger buffers, because each buffer costs an HTTP/2 frame and a
  /// promise.
  private func joined(_ frames: [ByteBuffer]) -> [ByteBuffer] {
    var joined: [ByteBuffer] = []
    for var frame in frames {
      if let last = joined.last, last.readableBytes + frame.readableBytes <= Self.largeAnswer {
        joined[joined.count - 1].writeBuffer(&frame)
      } else {
        joined.append(frame)
      }
    }
    return joined
  }

  /// Ends a call, successfully or with an error. The status is sent after all responses that the
  /// handler has written.
  func end(_ stream: RPCStream, _ error: StatusError?) {
    guard !stream.isEnded else { return }
    sendOutput(of: stream)
    stream.isEnded = true
    release(stream, error)
    var trailers = StatusTrailers.make(error)
    if !stream.hasSentHeaders {
      var headers = Self.headers
      headers.add(contentsOf: trailers)
      trailers = headers
    }
    sendLast(.headers(.init(headers: trailers, endStream: true)), on: stream)
  }

  /// Responds to a request that isn't gRPC.
  func answer(_ stream: RPCStream, status: String, _ text: String) {
    stream.isEnded = true
    let headers: HPACKHeaders = [
      ":status": status, "content-type": "text/plain; charset=utf-8",
      "content-length": String(text.utf8.count),
    ]
    write(.headers(.init(headers: headers)), on: stream.id)
    sendLast(
      .data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: true)),
      on: stream
    )
  }

  /// Sends the last frame.
  ///
  /// If the client hasn't ended its side of the stream, the stream is reset after the frame is
  /// sent. An earlier reset would discard data that isn't sent yet.
  private func sendLast(_ payload: HTTP2Frame.FramePayload, on stream: RPCStream) {
    if stream.isHalfClosed {
      write(payload, on: stream.id)
    } else if let context {
      let sent = context.eventLoop.makePromise(of: Void.self)
      let id = stream.id
      sent.futureResult.assumeIsolated().whenSuccess {
        guard self.streams[id] != nil else { return }
        self.write(.rstStream(.noError), on: id)
        self.flushSoon()
      }
      write(payload, on: id, promise: sent)
    }
    flushSoon()
  }

  /// Ends a call after either side has closed its stream.
  func abandon(_ stream: RPCStream) {
    if !stream.isEnded {
      stream.isEnded = true
      release(stream, StatusError(.cancelled, "the client has closed the stream"))
    }
  }

  private func release(_ stream: RPCStream, _ error: StatusError?) {
    stream.timer?.cancel()
    stream.timer = nil
    stream.request = nil
    heldRequestBytes -= stream.heldBytes
    stream.heldBytes = 0
    let error = error ?? StatusError(.cancelled, "the call has ended")
    stream.input?.finish(.failure(error))
    stream.output?.finish(error)
    stream.task?.cancel()
    stream.task = nil
  }
}
