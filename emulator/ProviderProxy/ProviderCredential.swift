package import GoogleAuth
package import Providers

/// The credential for a real provider. It replaces the fakes' keys, which work only in the
/// emulator.
package enum ProviderCredential: Sendable {
  /// No credential, for a provider that doesn't require one.
  case none
  case key(Secret)
  /// A Google service account.
  case account(any AccessTokenSource)

  /// The key, which must not appear in recordings, or `nil` if there is no key. An account's tokens
  /// need no check, because they are never in a body.
  var secret: String? {
    if case .key(let key) = self { key.reveal() } else { nil }
  }
}
