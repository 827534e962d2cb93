package import HTTPService

/// What stands in front of a port's service: who may come in, and how much they may send.
package protocol RequestPolicy: Sendable {
  /// A larger body is refused.
  var maximumBodyBytes: Int { get }

  /// The answer to a request that isn't the service's business, before its body is read; nil lets
  /// it in.
  func answer(to head: RequestHead) -> ServiceResponse?

  /// Headers that an answer gets beside its own.
  func headers(for head: RequestHead) -> [(name: String, value: String)]
}
