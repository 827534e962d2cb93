package import GoogleAuth
package import Providers

/// As whom a real provider is asked: the emulator's fakes take keys that open nothing else.
package enum ProviderCredential: Sendable {
  /// The provider takes everybody.
  case none
  case key(Secret)
  /// A service account of Google's.
  case account(any AccessTokenSource)

  /// What the credential is in a text; none of an account's, whose tokens never are in one.
  var secret: String? {
    if case .key(let key) = self { key.reveal() } else { nil }
  }
}
