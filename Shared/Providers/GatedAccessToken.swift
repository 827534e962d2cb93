package import Core
package import GoogleAuth

/// A source of access tokens that calls another source through the provider gates: with limited
/// concurrency and a circuit breaker.
package struct GatedAccessToken: AccessTokenSource {
  private let source: any AccessTokenSource
  private let gates: ProviderGates

  /// Creates a source that calls another one.
  ///
  /// - Parameters:
  ///   - source: the source that makes a request for each call, within the deadline.
  ///   - gates: the process's gates.
  package init(_ source: any AccessTokenSource, gates: ProviderGates) {
    self.source = source
    self.gates = gates
  }

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    try await gates.call("access tokens", name: "the source of access tokens", by: deadline) {
      () async throws(StatusError) in
      try await source.accessToken(deadline: deadline)
    }
  }

  package func discard(_ token: AccessToken) async { await source.discard(token) }
}
