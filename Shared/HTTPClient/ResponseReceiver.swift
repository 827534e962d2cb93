/// A receiver of a response's body while it arrives.
///
/// Its methods are called on the transfer thread, so they must return quickly. The response that
/// `HTTPClient.send` returns has the whole body nevertheless.
package protocol ResponseReceiver: AnyObject, Sendable {
  /// Begins a response. If an earlier response has begun, discard its data, because that attempt
  /// has failed.
  func begin(status: Int, headers: [HTTPHeader])

  /// Receives the next piece of the decompressed body.
  func receive(_ bytes: UnsafeRawBufferPointer)
}
