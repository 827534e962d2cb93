package import RPCStatus

/// Asks another source only when its last token is about to expire; callers at the same time
/// share one request.
package actor CachedAccessToken: AccessTokenSource {
  private let source: any AccessTokenSource
  private var token: AccessToken?
  private var request: Task<Result<AccessToken, StatusError>, Never>?

  package init(_ source: any AccessTokenSource) { self.source = source }

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    if let token, token.isFresh { return token }
    if let request { return try await request.value.get() }
    let task = Task { [source] () -> Result<AccessToken, StatusError> in
      do throws(StatusError) {
        return .success(try await source.accessToken(deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
    request = task
    let result = await task.value
    request = nil
    switch result {
    case .success(let new):
      // One that lives shorter than the margin serves this call and is asked for again.
      token = new
      return new
    case .failure(let error):
      // A renewal that fails takes nothing away: what is still good is used to its end.
      guard let token, token.expiry > .now else { throw error }
      return token
    }
  }

  package func discard(_ refused: AccessToken) async {
    if token == refused { token = nil }
    await source.discard(refused)
  }
}
