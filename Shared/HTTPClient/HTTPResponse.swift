package import Core

/// A complete HTTP response of any status.
package struct HTTPResponse: Sendable {
  /// The status code, 200 to 599. Redirects aren't followed, so it may be 3xx.
  package var status: Int
  /// The header fields in order of arrival. Content-Encoding and Content-Length describe the body
  /// before decompression.
  package var headers: [HTTPHeader]
  /// The decompressed body.
  package var body: Data
  /// The delay that the server asks for before the next request, or `nil` if it asks for none.
  package var retryAfter: Duration?

  /// Creates a response.
  ///
  /// - Parameter now: The time to which a date in Retry-After is compared.
  package init(status: Int, headers: [HTTPHeader] = [], body: Data = Data(), now: Date = Date()) {
    self.status = status
    self.headers = headers
    self.body = body
    self.retryAfter = RetryAfter.duration(in: headers, now: now)
  }

  /// The value of the first field with this name, whatever its case.
  package subscript(_ name: String) -> String? { headers[name] }
}
