import GoogleAuth
import RPCStatus
import TestKit

/// Hands out another token once the last one was refused.
actor RenewedTokens: AccessTokenSource {
  private var number = 1
  private(set) var discarded: [AccessToken] = []

  func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError) -> AccessToken {
    AccessToken("t\(number)", expiry: .generous)
  }

  func discard(_ token: AccessToken) {
    discarded.append(token)
    number += 1
  }
}
