package import HTTPService

/// The policy of a port. It determines which requests reach the service, and how large their bodies
/// may be.
package protocol RequestPolicy: Sendable {
  /// Returns the maximum size of a request's body in bytes. A request with a larger body is refused.
  func maximumBodyBytes(of head: RequestHead) -> Int

  /// Returns the response to a request that must not reach the service, or `nil` to let it pass.
  ///
  /// Called before the body is read.
  func answer(to head: RequestHead) -> ServiceResponse?

  /// Returns the headers to add to the response to a request.
  func headers(for head: RequestHead) -> [(name: String, value: String)]
}
