import Core
import Cryptography
import HTTPClient

/// A cache of the public keys that an issuer of tokens publishes at a URL and replaces from time to
/// time.
///
/// Keys are fetched only during a call, because the machine may be suspended between calls. Shortly
/// before the keys expire, a call starts a fetch of new ones but doesn't wait for it.
actor PublishedKeys {
  /// The time for which expired keys are still used if new ones can't be fetched.
  static let grace = Duration.seconds(3_600)
  /// The time between the renewal of keys and their expiry, at most a quarter of the keys'
  /// lifetime.
  static let margin = Duration.seconds(300)
  /// The minimum time between a successful fetch and the next one. Without it, anybody could cause
  /// fetches by sending made-up key IDs.
  static let pause = Duration.seconds(30)
  /// The minimum time between a failed fetch and the next one.
  static let pauseAfterFailure = Duration.seconds(5)
  /// The maximum size of a response in bytes. Google's responses have about 5 KiB.
  static let maximumResponseBytes = 64 * 1024

  private struct Kept {
    var keys: [ByteKey: RSAPublicKey]
    var renewal: ContinuousClock.Instant
    var expiry: ContinuousClock.Instant
  }

  private let name: String
  private let url: String
  private let format: KeyFormat
  private let transport: HTTPClient
  private let timeout: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private var kept: Kept?
  private var request: Task<Void, Never>?
  /// The time before which no request is sent.
  private var earliest: ContinuousClock.Instant?
  /// The error of the last fetch, or `nil` if it succeeded.
  private var failure: StatusError?

  /// - Parameters:
  ///   - name: The name of the keys in error messages, such as `the keys of App Check`.
  ///   - timeout: The maximum time for which a call waits for keys.
  init(
    name: String,
    url: String,
    format: KeyFormat,
    transport: HTTPClient,
    timeout: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.name = name
    self.url = url
    self.format = format
    self.transport = transport
    self.timeout = timeout
    self.now = now
  }

  /// Returns the published key that has an ID.
  ///
  /// - Returns: The key, or `nil` if no published key has this ID.
  /// - Throws: `UNAVAILABLE` if the keys can't be fetched now; a configuration error if the URL or
  ///   the trusted certificates are wrong.
  func key(_ id: String) async throws(StatusError) -> RSAPublicKey? {
    if let kept, now() < kept.expiry, let key = kept.keys[id] {
      if now() >= kept.renewal { _ = ask() }
      return key
    }
    await ask()?.value
    if let kept, now() < kept.expiry + Self.grace, let key = kept.keys[id] { return key }
    if let failure { throw failure }
    return nil
  }

  /// Starts a fetch unless one is in progress.
  ///
  /// - Returns: The fetch in progress, or `nil` if the minimum time after the last fetch hasn't
  ///   passed.
  private func ask() -> Task<Void, Never>? {
    if let request { return request }
    if let earliest, now() < earliest { return nil }
    let task = Task {
      do throws(StatusError) {
        kept = try await fetch()
        failure = nil
        earliest = now() + Self.pause
      } catch {
        failure = error
        earliest = now() + Self.pauseAfterFailure
      }
      request = nil
    }
    request = task
    return task
  }

  private func fetch() async throws(StatusError) -> Kept {
    let request = HTTPRequest(
      method: "GET",
      url: url,
      maximumResponseBytes: Self.maximumResponseBytes
    )
    let asked = now()
    do throws(StatusError) {
      let response = try await transport.send(
        request,
        deadline: .now + timeout,
        retry: HTTPRetryPolicy(maximumAttempts: 2)
      ).response
      guard response.status == 200 else { throw unavailable("\(url) answered \(response.status)") }
      let lifetime = CacheLifetime.duration(in: response.headers)
      return Kept(
        keys: try format.keys(in: response.body),
        renewal: asked + lifetime - min(Self.margin, lifetime / 4),
        expiry: asked + lifetime
      )
    } catch {
      switch (error.fault, error.code) {
      case (.configuration, _):
        throw .configuration(error.code, "\(name) can't be fetched: \(error.message)")
      case (.request, .invalidArgument):
        throw unavailable("\(url) returned invalid keys: \(error.message)")
      case (.request, _): throw unavailable(error.message)
      }
    }
  }

  private func unavailable(_ reason: String) -> StatusError {
    StatusError(
      .unavailable,
      "\(name) can't be fetched: \(reason)",
      retryAfter: Self.pauseAfterFailure
    )
  }
}
