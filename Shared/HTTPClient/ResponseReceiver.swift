/// A receiver of a response's body while it arrives.
///
/// It is called on the transfer thread, so it must return quickly. The response that
/// `HTTPClient.send` returns still has the whole body.
package protocol ResponseReceiver: AnyObject, Sendable {
  /// Begins a response. An earlier one belongs to a failed attempt: discard it.
  func begin(status: Int, headers: [HTTPHeader])

  /// Receives the next piece of the decompressed body.
  func receive(_ bytes: UnsafeRawBufferPointer)
}
