import HTTPService
import HTTPTypes
import HummingbirdCore
import NIOCore
import Platform

extension ServiceResponse {
  /// The same as the server writes it.
  var hummingbird: Response {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    return Response(status: .init(code: status), headers: fields, body: hummingbirdBody)
  }

  private var hummingbirdBody: ResponseBody {
    guard let stream else { return ResponseBody(byteBuffer: ByteBuffer(bytes: body)) }
    return ResponseBody { writer in
      var body: any ServiceResponseWriter = BodyWriter(writer: writer)
      // A long answer takes its time, and nobody else's.
      try await withTaskExecutorPreference(globalConcurrentExecutor) { try await stream(&body) }
      if var rest = body as? BodyWriter { try await rest.flush() }
      try await writer.finish(nil)
    }
  }
}

/// Waits while the client doesn't read.
///
/// Small pieces are sent together: a write is let through as long as the socket takes bytes, and
/// some million pieces of a few bytes would wait in memory before it doesn't.
private struct BodyWriter: ServiceResponseWriter {
  private static let chunk = 32 * 1024

  private var writer: any ResponseBodyWriter
  private var pending = ByteBuffer()

  init(writer: any ResponseBodyWriter) {
    self.writer = writer
  }

  mutating func write(_ bytes: Data) async throws {
    pending.writeBytes(bytes)
    if pending.readableBytes >= Self.chunk { try await flush() }
  }

  mutating func flush() async throws {
    guard pending.readableBytes > 0 else { return }
    let chunk = pending
    pending = ByteBuffer()
    try await writer.write(chunk)
  }
}
