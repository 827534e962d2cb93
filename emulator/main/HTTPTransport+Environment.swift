import HTTPTransport

extension HTTPTransport {
  /// What commands ask a running emulator through.
  convenience init(environment: [String: String]) {
    self.init(
      userAgent: "emulator",
      configuration: TransportConfiguration(environment: environment)
    )
  }
}
