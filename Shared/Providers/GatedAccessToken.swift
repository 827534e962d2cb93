package import Core
package import GoogleAuth

/// Asks another source for tokens like any provider: so many at once, and not while it keeps failing.
package struct GatedAccessToken: AccessTokenSource {
  private let source: any AccessTokenSource
  private let gates: ProviderGates

  /// - Parameters:
  ///   - source: one that asks each time it is called, by the deadline.
  ///   - gates: the process's.
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
