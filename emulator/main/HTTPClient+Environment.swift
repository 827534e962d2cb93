import HTTPClient

extension HTTPClient {
  /// What commands ask a running emulator through.
  convenience init(environment: [String: String]) {
    self.init(
      userAgent: "emulator",
      configuration: HTTPClientConfiguration(environment: environment)
    )
  }
}
