import Core
import FunctionRuntime
import HTTPClient

extension Configuration {
  /// Where a provider is, if it isn't where it is in production.
  ///
  /// It gets our key: an address that would give it away is refused before anything is sent.
  ///
  /// - Throws: a configuration error that names the variable: the URL is neither https nor
  ///   loopback's http, names a user, or goes on after its path.
  func baseURL(_ name: String) throws(StatusError) -> String? {
    guard let url = self[name] else { return nil }
    do throws(StatusError) {
      try HTTPRequest(method: "POST", url: url).check()
    } catch {
      throw .configuration(error.code, "\(name): \(error.message)")
    }
    guard !url.contains("?"), !url.contains("#") else {
      throw .configuration(.failedPrecondition, "\(name): the URL must end with its path")
    }
    return url
  }
}
