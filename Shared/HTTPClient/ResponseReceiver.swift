/// Gets a response's body while it comes, on the transfer thread: nothing may take long here.
///
/// The response that `HTTPClient.send` returns has the whole body all the same.
package protocol ResponseReceiver: AnyObject, Sendable {
  /// A response begins: what came before was of an attempt that failed.
  func begin(status: Int, headers: [HTTPHeader])

  /// The next piece of the body, decompressed.
  func receive(_ bytes: UnsafeRawBufferPointer)
}
