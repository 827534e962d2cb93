import Core
import HTTPClient

/// The stream of a provider's response while it is forwarded.
final class ForwardedResponse: ResponseReceiver {
  enum Part: Sendable {
    case begun(status: Int, headers: [HTTPHeader])
    case piece(Data)
  }

  private let parts: AsyncStream<Part>
  private let sink: AsyncStream<Part>.Continuation

  init() { (parts, sink) = AsyncStream.makeStream(of: Part.self) }

  func begin(status: Int, headers: [HTTPHeader]) {
    sink.yield(.begun(status: status, headers: headers))
  }

  func receive(_ bytes: UnsafeRawBufferPointer) { sink.yield(.piece(Data(bytes))) }

  /// Ends the stream. The sender of the request knows whether the response is complete.
  func finish() { sink.finish() }

  /// Returns the next part, or `nil` at the end. Only one caller at a time may wait.
  func next() async -> Part? { await parts.first { _ in true } }
}
