package import RPCStatus

/// A request that was answered before any service heard of it.
package struct RefusedRequest: Sendable {
  package var status: Int
  /// Why. Its message names what is wrong and may quote names that the request has.
  package var error: StatusError
  /// Names in lower case; empty if the request didn't get so far.
  package var headers: [String: String]
}
