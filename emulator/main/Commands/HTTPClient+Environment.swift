import HTTPClient

extension HTTPClient {
  /// Creates the client with which commands send requests to a running emulator.
  convenience init(environment: [String: String]) {
    self.init(
      userAgent: "emulator",
      configuration: HTTPClientConfiguration(environment: environment)
    )
  }
}
