package import Core
import HTTPClient
import HTTPService
package import ProviderFakes
import Providers

/// Where a real provider is, and how its requests look there.
package struct ProviderTarget: Sendable {
  package let provider: FaultyProvider
  /// Without a slash at the end; of OpenAI's with `/v1`, as its variable has it.
  package let baseURL: String

  /// The providers that can be real ones. The tokens that functions get of `oauth` are for the
  /// fakes; a real provider's are the emulator's to ask for.
  package static let providers = FaultyProvider.allCases.filter { $0 != .oauth }

  /// - Parameter baseURL: nil for the provider's own.
  /// - Throws: `INVALID_ARGUMENT` for a URL to which no key may be sent.
  package init(_ provider: FaultyProvider, baseURL: String?) throws(StatusError) {
    self.provider = provider
    self.baseURL = (baseURL ?? Self.production(provider)).withoutTrailingSlashes
    guard !self.baseURL.contains("?"), !self.baseURL.contains("#") else {
      throw StatusError(.invalidArgument, "the URL has more than a path")
    }
    do throws(StatusError) {
      try HTTPRequest(method: "POST", url: self.baseURL).check()
    } catch {
      throw StatusError(.invalidArgument, error.message)
    }
  }

  private static func production(_ provider: FaultyProvider) -> String {
    switch provider {
    case .translation: "https://translation.googleapis.com"
    case .openai: "https://api.openai.com/v1"
    case .anthropic: "https://api.anthropic.com"
    case .fcm: "https://fcm.googleapis.com"
    case .oauth: "https://oauth2.googleapis.com"
    }
  }

  /// Whether a translation is asked for as LibreTranslate has it, with the key in the body: its paths
  /// are single words, Google's aren't.
  static func isLibreTranslate(_ request: ServiceRequest) -> Bool { request.path.count == 1 }

  /// Where a request goes. A key in its query stays here.
  ///
  /// - Parameter request: its path without `providers`.
  func url(of request: ServiceRequest) -> String {
    // OpenAI's base URL has the version that is in the path here.
    let path = provider == .openai ? request.path.dropFirst() : request.path[...]
    let segments = path.map {
      // Google's methods stand behind a colon, `messages:send`.
      PercentEncoding.encode($0).replacing("%3A", with: ":")
    }
    let query = request.query.filter { $0.name != "key" }
    return ([baseURL] + segments).joined(separator: "/")
      + (query.isEmpty ? "" : "?\(PercentEncoding.query(query))")
  }
}
