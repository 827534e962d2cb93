import Core
import Cryptography
import HTTPClient

/// Public keys that somebody publishes and changes every now and then, kept as long as they say.
///
/// They are asked for when a call needs them and in no other moment: where a machine rests between
/// calls, nothing else could. Before they run out a call has them renewed and doesn't wait for it.
actor PublishedKeys {
  /// How long keys that have run out are used while nobody can be asked for new ones.
  static let grace = Duration.seconds(3_600)
  /// How long before they run out they are renewed, if they are kept for four times as long.
  static let margin = Duration.seconds(300)
  /// How long nobody is asked again for the sake of a key that isn't among them: anybody can make up
  /// the names of keys.
  static let pause = Duration.seconds(30)
  /// How long nobody is asked again after a failure.
  static let pauseAfterFailure = Duration.seconds(5)
  /// Google's have some 5 KiB.
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
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private var kept: Kept?
  private var request: Task<Void, Never>?
  /// Before it nobody is asked.
  private var earliest: ContinuousClock.Instant?
  /// Why the last request brought none.
  private var failure: StatusError?

  /// - Parameters:
  ///   - name: what they are called in messages.
  ///   - patience: how long a call waits for them at most.
  init(
    name: String,
    url: String,
    format: KeyFormat,
    transport: HTTPClient,
    patience: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.name = name
    self.url = url
    self.format = format
    self.transport = transport
    self.patience = patience
    self.now = now
  }

  /// A key by its name, which is looked up among those that are published and does nothing else.
  ///
  /// - Returns: nil if there is none of this name.
  /// - Throws: `UNAVAILABLE` if that can't be said now; a configuration error if the fault is ours.
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

  /// - Returns: the request that is under way; nil if it is too early for one.
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
        deadline: .now + patience,
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
        throw unavailable("\(url) answered with something else: \(error.message)")
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
