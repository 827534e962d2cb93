package import Core
package import GoogleAuth

/// A source that returns another token after the last one was refused.
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
