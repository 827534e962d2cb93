package import Core

/// A complete HTTP response of any status.
package struct HTTPResponse: Sendable {
  /// The status code, 200 to 599. Redirects aren't followed, so it may be 3xx.
  package var status: Int
  /// The header fields in the order of arrival. Content-Encoding and Content-Length describe the
  /// compressed body.
  package var headers: [HTTPHeader]
  /// The decompressed body.
  package var body: Data
  /// The delay that the server asks for before the next request, or `nil` if the server asks for
  /// none.
  package var retryAfter: Duration?

  /// - Parameter now: The current time, from which the delay to a date in Retry-After is computed.
  package init(status: Int, headers: [HTTPHeader] = [], body: Data = Data(), now: Date = Date()) {
    self.status = status
    self.headers = headers
    self.body = body
    self.retryAfter = RetryAfter.duration(in: headers, now: now)
  }

  /// The value of the first header field with this name, ignoring case, or `nil` if there is none.
  package subscript(_ name: String) -> String? { headers[name] }
}
