package import Core

/// One request. It goes out as it stands: `HTTPClient` adds only User-Agent, Accept and
/// Accept-Encoding, and what HTTP itself needs.
package struct HTTPRequest: Sendable {
  /// The response limit of a request that names none, in bytes.
  package static let defaultMaximumResponseBytes = 16 * 1024 * 1024

  /// The method, in capitals.
  package var method: String
  /// An absolute http or https URL, percent-encoded already.
  package var url: String
  /// Fields in the order in which they are sent. Content-Type has no default.
  package var headers: [HTTPHeader]
  /// The content. POST, PUT and PATCH without one send an empty one; HEAD never sends any.
  package var body: Data?
  /// How many bytes the response's body may have, counted after decompression.
  package var maximumResponseBytes: Int
  /// Whether http:// may leave this machine. Everything in the request is then readable on the way.
  package var allowsPlaintext: Bool
  /// Who gets the body while it comes, if anybody.
  package var receiver: (any ResponseReceiver)?
  /// Whether it may be sent a second time where a connection that was kept breaks before an answer
  /// comes: libcurl does so by itself, over a new one. The first may have been carried out. Only a
  /// request with a body can't be.
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

  /// Checks the URL as sending would, without any network.
  ///
  /// - Throws: FAILED_PRECONDITION as `HTTPClient.send` does for a URL that is no good.
  package func check() throws(StatusError) { _ = try RequestTarget(self) }

  /// Whether it stays on this machine, by its URL alone.
  package var isToLoopback: Bool {
    do throws(StatusError) {
      return try RequestTarget(self).isLoopback
    } catch {
      return false
    }
  }
}
