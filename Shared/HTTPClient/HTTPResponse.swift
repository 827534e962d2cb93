package import Core

/// One complete response, of any status.
package struct HTTPResponse: Sendable {
  /// The status code, 200 to 599. No redirect is followed: a 3xx arrives here.
  package var status: Int
  /// The fields in the order of arrival. They describe what was sent: Content-Encoding and
  /// Content-Length speak of the bytes before decompression.
  package var headers: [HTTPHeader]
  /// The content, decompressed.
  package var body: Data
  /// How long the server asked us to wait before the next request.
  package var retryAfter: Duration?

  /// - Parameter now: The time from which a date in Retry-After counts.
  package init(status: Int, headers: [HTTPHeader] = [], body: Data = Data(), now: Date = Date()) {
    self.status = status
    self.headers = headers
    self.body = body
    self.retryAfter = RetryAfter.duration(in: headers, now: now)
  }

  /// The value of the first field with this name, whatever its case.
  package subscript(_ name: String) -> String? { headers[name] }
}
