import HTTPService

extension ServiceRequest {
  /// The request as recordings store it, without the leading `providers` in its path, or `nil` if it
  /// isn't to a provider.
  ///
  /// Authentication and the Realtime Database count as providers: what a function reads and changes
  /// there is an exchange. A request to the Realtime Database names its database.
  var toProvider: ServiceRequest? {
    switch path.first {
    case "providers":
      var request = self
      request.path.removeFirst()
      return request
    case "identitytoolkit.googleapis.com": return self
    // The JSON API of Cloud Storage.
    case "storage" where path.count > 2 && path[1] == "v1": return self
    default: return self[query: "ns"] != nil && path.last?.hasSuffix(".json") == true ? self : nil
    }
  }
}
