package import Core
import HTTPClient
import HTTPService
package import ProviderFakes
import Providers

/// The address of a real provider, and the form of its request URLs.
package struct ProviderTarget: Sendable {
  package let provider: ProviderName
  /// The base URL without a trailing slash. OpenAI's includes `/v1`, as in its environment
  /// variable.
  package let baseURL: String

  /// The providers that can be real. `oauth` can't, because functions use its tokens for the fakes
  /// only; the emulator itself requests real tokens.
  package static let providers = ProviderName.allCases.filter { $0 != .oauth }

  /// Creates a target.
  ///
  /// - Parameter baseURL: the base URL, or `nil` for the provider's own.
  /// - Throws: `INVALID_ARGUMENT` for a URL to which a key must not be sent.
  package init(_ provider: ProviderName, baseURL: String?) throws(StatusError) {
    self.provider = provider
    self.baseURL = (baseURL ?? Self.production(provider)).withoutTrailingSlashes
    guard !self.baseURL.contains("?"), !self.baseURL.contains("#") else {
      throw StatusError(.invalidArgument, "the URL must not have a query or a fragment")
    }
    do throws(StatusError) {
      try HTTPRequest(method: "POST", url: self.baseURL).check()
    } catch {
      // The message is about a request, and begins with its method.
      let message = error.message.trimmingPrefix("POST").trimmingPrefix(":").trimmingPrefix(" ")
      throw StatusError(.invalidArgument, String(message))
    }
  }

  private static func production(_ provider: ProviderName) -> String {
    switch provider {
    case .translation: "https://translation.googleapis.com"
    case .openai: "https://api.openai.com/v1"
    case .anthropic: "https://api.anthropic.com"
    case .fcm: "https://fcm.googleapis.com"
    case .oauth: "https://oauth2.googleapis.com"
    }
  }

  /// Returns a Boolean value that indicates whether a translation request has LibreTranslate's
  /// form, with the key in the body. LibreTranslate's paths have a single segment, Google's have
  /// more.
  static func isLibreTranslate(_ request: ServiceRequest) -> Bool { request.path.count == 1 }

  /// Returns the URL of a request, without a key in its query.
  ///
  /// - Parameter request: the request, without the leading `providers` in its path.
  func url(of request: ServiceRequest) -> String {
    // OpenAI's base URL already includes the version that begins the path.
    let path = provider == .openai ? request.path.dropFirst() : request.path[...]
    let segments = path.map {
      // Google's methods follow a colon, as in `messages:send`.
      PercentEncoding.encode($0).replacing("%3A", with: ":")
    }
    let query = request.query.filter { $0.name != "key" }
    return ([baseURL] + segments).joined(separator: "/")
      + (query.isEmpty ? "" : "?\(PercentEncoding.query(query))")
  }
}
