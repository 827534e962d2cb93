import Core
import HTTPClient

/// A provider's response on its way through.
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

  /// There is no more to come. Whether that is all of it, who sent the request knows.
  func finish() { sink.finish() }

  /// The next part. One at a time may wait for it.
  ///
  /// - Returns: nil at the end.
  func next() async -> Part? { await parts.first { _ in true } }
}
