import JSONCoding
import Platform
package import RPCStatus

/// Shares a token among the processes of one user, by a file: most functions are processes that
/// live for one event, and a token lives for an hour.
///
/// Of several processes that need a token one asks for it, the others wait for the file. Where the
/// folder can't be used, or not safely, each asks for itself: no failure of the cache is one of the
/// function.
package struct StoredAccessToken: AccessTokenSource {
  /// Whose tokens they are, and for what.
  package struct Owner: Sendable {
    var account: String
    var scope: String
    /// The file's name: another one for each key, account, scope and endpoint.
    var fileName: String
  }

  private struct Entry: Codable {
    var account: String
    var scope: String
    var accessToken: String
    /// Seconds since 1970.
    var expiresAt: Int64
  }

  private static let firstPause = Duration.milliseconds(5)
  private static let lastPause = Duration.milliseconds(50)
  /// Google's tokens live for twelve hours at most; what claims to live longer is none of ours.
  private static let longestLife: Int64 = 86_400

  private let source: any AccessTokenSource
  private let owner: Owner
  private let path: String
  private let patience: Duration
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - folder: a folder for this user alone. It is made when there is something to keep.
  ///   - patience: how long another process may keep the others waiting: one that was stopped keeps
  ///     its lock.
  ///   - now: seconds since 1970.
  package init(
    _ source: any AccessTokenSource,
    owner: Owner,
    folder: String,
    patience: Duration = .seconds(5),
    now: @escaping @Sendable () -> Int64
  ) {
    self.source = source
    self.owner = owner
    path = folder
    self.patience = patience
    self.now = now
  }

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    guard let folder = PrivateFolder(path) else {
      return try await source.accessToken(deadline: deadline)
    }
    if let token = token(in: folder), token.isFresh { return token }
    let lock = await lock(in: folder, deadline: deadline)
    // Whoever had it before has written one.
    let kept = token(in: folder)
    if let kept, kept.isFresh { return kept }
    do throws(StatusError) {
      let token = try await source.accessToken(deadline: deadline)
      if let lock { keep(token, in: folder, holding: lock) }
      return token
    } catch {
      // A renewal that fails takes nothing away: what is still good is used to its end.
      guard let kept, kept.expiry > .now else { throw error }
      return kept
    }
  }

  package func discard(_ refused: AccessToken) async {
    guard let folder = PrivateFolder(path), token(in: folder) == refused else { return }
    folder.remove(owner.fileName)
  }

  private func token(in folder: PrivateFolder) -> AccessToken? {
    guard let data = folder.content(of: owner.fileName),
      let entry = try? JSON.decode(Entry.self, from: data, what: "the token"),
      entry.account == owner.account, entry.scope == owner.scope,
      !entry.accessToken.isEmpty, entry.accessToken.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return nil }
    let time = now()
    guard entry.expiresAt > time, entry.expiresAt <= time + Self.longestLife else { return nil }
    return AccessToken(entry.accessToken, expiry: .now + .seconds(entry.expiresAt - time))
  }

  private func keep(_ token: AccessToken, in folder: PrivateFolder, holding lock: FileLock) {
    // Rounded down: a token that was said to be good and isn't costs a request.
    let life = ContinuousClock.now.duration(to: token.expiry).components.seconds
    let entry = Entry(
      account: owner.account,
      scope: owner.scope,
      accessToken: token.secret,
      expiresAt: now() + life
    )
    guard let data = try? JSON.encode(entry) else { return }
    folder.replace(owner.fileName, with: data)
    withExtendedLifetime(lock) {}
  }

  /// Waits for the turn to ask for a token.
  ///
  /// - Returns: nil if there is a token meanwhile, or no lock to be had.
  private func lock(
    in folder: PrivateFolder,
    deadline: ContinuousClock.Instant
  ) async -> FileLock? {
    let start = ContinuousClock.now
    // What is left must do for a request of our own.
    let end = start + min(patience, start.duration(to: deadline) / 2)
    var pause = Self.firstPause
    while true {
      switch folder.lock(owner.fileName) {
      case .taken(let lock): return lock
      case .impossible: return nil
      case .busy: break
      }
      guard ContinuousClock.now < end, !Task.isCancelled else { return nil }
      try? await Task.sleep(for: pause)
      if token(in: folder)?.isFresh == true { return nil }
      pause = min(pause * 2, Self.lastPause)
    }
  }
}
