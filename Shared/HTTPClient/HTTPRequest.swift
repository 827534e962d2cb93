package import Core

/// An HTTP request, sent unchanged.
///
/// `HTTPClient` adds only User-Agent, Accept and Accept-Encoding, and the fields that HTTP
/// requires.
package struct HTTPRequest: Sendable {
  /// The default of `maximumResponseBytes`.
  package static let defaultMaximumResponseBytes = 16 * 1024 * 1024

  /// The method, in capitals.
  package var method: String
  /// An absolute http or https URL, percent-encoded.
  package var url: String
  /// The header fields in sending order. Content-Type has no default.
  package var headers: [HTTPHeader]
  /// The body. POST, PUT and PATCH without one send an empty body; HEAD never sends one.
  package var body: Data?
  /// The maximum size of the response's body in bytes, after decompression.
  package var maximumResponseBytes: Int
  /// A Boolean value that indicates whether http:// may leave this machine. The whole request is
  /// then readable on the network.
  package var allowsPlaintext: Bool
  /// The receiver of the body while it arrives, or `nil` if there is none.
  package var receiver: (any ResponseReceiver)?
  /// A Boolean value that indicates whether libcurl may send the request again on a new connection
  /// if a reused one breaks before a response. The first request may have been carried out. A value
  /// of `false` only has an effect on requests with a body.
  package var isRepeatable: Bool

  package init(
    method: String,
    url: String,
    headers: [HTTPHeader] = [],
    body: Data? = nil,
    maximumResponseBytes: Int = defaultMaximumResponseBytes,
    allowsPlaintext: Bool = false,
    isRepeatable: Bool = true
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.maximumResponseBytes = maximumResponseBytes
    self.allowsPlaintext = allowsPlaintext
    self.isRepeatable = isRepeatable
  }

  /// Checks the URL like `HTTPClient.send`, without network access.
  ///
  /// - Throws: FAILED_PRECONDITION if `HTTPClient.send` would reject the URL.
  package func check() throws(StatusError) { _ = try RequestTarget(self) }

  /// A Boolean value that indicates whether the URL's host is this machine; no lookup is made.
  package var isToLoopback: Bool {
    do throws(StatusError) {
      return try RequestTarget(self).isLoopback
    } catch {
      return false
    }
  }
}
