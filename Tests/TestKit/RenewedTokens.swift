package import Core
package import GoogleAuth

/// A source of access tokens that returns a new token once the current one has been discarded.
package actor RenewedTokens: AccessTokenSource {
  private var number = 1
  package private(set) var discarded: [AccessToken] = []

  package init() {}

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    AccessToken("t\(number)", expiry: .generous)
  }

  package func discard(_ token: AccessToken) {
    discarded.append(token)
    number += 1
  }
}
