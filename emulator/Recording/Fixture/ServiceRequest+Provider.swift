import HTTPService

extension ServiceRequest {
  /// The request as recordings store it, without the leading `providers` in its path, or `nil` if it
  /// isn't to a provider.
  ///
  /// Authentication counts as a provider: what a function changes there is an exchange.
  var toProvider: ServiceRequest? {
    switch path.first {
    case "providers":
      var request = self
      request.path.removeFirst()
      return request
    case "identitytoolkit.googleapis.com": return self
    default: return nil
    }
  }
}
