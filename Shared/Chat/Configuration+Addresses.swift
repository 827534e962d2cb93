import Core
import FirestoreClient
import FunctionRuntime
import HTTPClient

extension Configuration {
  /// Returns the base URL of a provider, or `nil` for its production URL.
  ///
  /// Requests to the URL contain the API key, so an unsafe URL is rejected before anything is sent.
  ///
  /// - Throws: a configuration error that names the variable if the URL is unsafe. The URL must use
  ///   https, or http on a loopback address, and have no user name, query or fragment.
  func baseURL(_ name: String) throws(StatusError) -> String? {
    guard let url = self[name] else { return nil }
    do throws(StatusError) {
      try HTTPRequest(method: "POST", url: url).check()
    } catch {
      throw .configuration(error.code, "\(name): \(error.message)")
    }
    guard !url.contains("?"), !url.contains("#") else {
      throw .configuration(.failedPrecondition, "\(name): the URL must have no query or fragment")
    }
    return url
  }

  /// Returns the address of an emulator, `host:port`, or `nil` if the variable isn't set.
  ///
  /// - Throws: a configuration error that names the variable if the value is something else.
  func emulatorHost(_ name: String) throws(StatusError) -> String? {
    guard let host = self[name] else { return nil }
    return try EmulatorHost.checked(host, variable: name)
  }
}
