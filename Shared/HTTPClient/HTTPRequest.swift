package import Core

/// An HTTP request, which is sent as it is.
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
  /// The header fields in the order in which they are sent. There is no default for Content-Type.
  package var headers: [HTTPHeader]
  /// The body, or `nil` for none. POST, PUT and PATCH requests without a body send an empty one.
  /// HEAD requests never send a body.
  package var body: Data?
  /// The maximum size of the response's body in bytes, after decompression.
  package var maximumResponseBytes: Int
  /// A Boolean value that indicates whether a request to another machine may use http://, so that
  /// the whole request is readable on the network.
  package var allowsPlaintext: Bool
  /// The receiver of the response's body while it arrives, or `nil` for none.
  package var receiver: (any ResponseReceiver)?
  /// A Boolean value that indicates whether libcurl may send the request again on a new connection
  /// if a reused connection breaks before the response.
  ///
  /// Set it to `false` if the server must not carry out the request twice. `false` has an effect
  /// only on requests with a body.
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

  /// Checks the URL as `HTTPClient.send` does, without network access.
  ///
  /// - Throws: FAILED_PRECONDITION if `HTTPClient.send` would reject the URL.
  package func check() throws(StatusError) { _ = try RequestTarget(self) }

  /// A Boolean value that indicates whether the URL's host is a name or address of this machine's
  /// loopback interface. No name is looked up.
  package var isToLoopback: Bool {
    do throws(StatusError) {
      return try RequestTarget(self).isLoopback
    } catch {
      return false
    }
  }
}
