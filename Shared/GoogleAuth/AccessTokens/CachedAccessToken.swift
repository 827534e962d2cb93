package import Core

/// A cache of one access token. It renews the token shortly before its expiry. Concurrent callers
/// share one request.
package actor CachedAccessToken: AccessTokenSource {
  private let source: any AccessTokenSource
  private var token: AccessToken?
  private var request: Request?

  package init(_ source: any AccessTokenSource) { self.source = source }

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    while true {
      if let token, token.isFresh { return token }
      let outcome: Result<AccessToken, StatusError>
      if let request {
        outcome = await Self.outcome(of: request, by: deadline)
        // The shared request had an earlier deadline than this caller has, so send another request.
        if case .failure(let error) = outcome, error.code == .deadlineExceeded, deadline > .now {
          continue
        }
      } else {
        outcome = await ask(by: deadline).value
      }
      switch outcome {
      // Return the new token even if it isn't fresh. The cache doesn't reuse such a token.
      case .success(let new): return new
      case .failure(let error):
        // If the renewal fails, the old token is used until it expires.
        guard let token, token.expiry > .now else { throw error }
        return token
      }
    }
  }

  private typealias Request = Task<Result<AccessToken, StatusError>, Never>

  private func ask(by deadline: ContinuousClock.Instant) -> Request {
    let task = Request {
      let outcome: Result<AccessToken, StatusError>
      do throws(StatusError) {
        let new = try await source.accessToken(deadline: deadline)
        token = new
        outcome = .success(new)
      } catch {
        outcome = .failure(error)
      }
      request = nil
      return outcome
    }
    request = task
    return task
  }

  /// Waits for another caller's request, until this caller's deadline.
  private static func outcome(
    of request: Request,
    by deadline: ContinuousClock.Instant
  ) async -> Result<AccessToken, StatusError> {
    let (outcomes, sink) = AsyncStream<Result<AccessToken, StatusError>>.makeStream()
    Task { sink.yield(await request.value) }
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      sink.yield(.failure(StatusError(.deadlineExceeded, "no access token before the deadline")))
    }
    defer { timer.cancel() }
    for await outcome in outcomes { return outcome }
    return .failure(StatusError(.cancelled, "waiting for an access token was cancelled"))
  }

  package func discard(_ refused: AccessToken) async {
    if token == refused { token = nil }
    await source.discard(refused)
  }
}
