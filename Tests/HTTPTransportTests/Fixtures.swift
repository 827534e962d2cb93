import HTTPTransport
import Platform

extension HTTPTransport {
  /// A transport with nothing special.
  static func forTests(
    _ configuration: TransportConfiguration = TransportConfiguration(),
    random: @escaping @Sendable () -> Double = { 0 }
  ) -> HTTPTransport {
    HTTPTransport(userAgent: "tests/1", configuration: configuration, random: random)
  }
}

extension ContinuousClock.Instant {
  /// Far enough that only a broken test sees it pass.
  static var generous: ContinuousClock.Instant { .now.advanced(by: .seconds(50)) }
}

extension HTTPRequest {
  static func get(_ url: String) -> HTTPRequest { HTTPRequest(method: "GET", url: url) }
}
