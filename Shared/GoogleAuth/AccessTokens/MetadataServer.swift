package import Core
package import HTTPClient

/// Google Cloud's metadata server as the source of a function's access tokens.
package struct MetadataServer: AccessTokenSource {
  private let host: String
  private let transport: HTTPClient
  private let timeout: Duration

  /// - Parameters:
  ///   - host: The value of GCE_METADATA_HOST, or `nil` for Google's own host.
  ///   - timeout: The time limit of the response. A metadata server responds at once. On networks
  ///     without one, packets to its address may be dropped silently.
  package init(
    host: String?,
    transport: HTTPClient,
    timeout: Duration = .milliseconds(1_500)
  ) {
    self.host = host ?? "metadata.google.internal"
    self.transport = transport
    self.timeout = timeout
  }

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    // Google's metadata server supports only plain HTTP. Its address exists only in the machine's
    // own network.
    let scopes = PercentEncoding.encode(TokenRequest.scopes.joined(separator: ","))
    let request = HTTPRequest(
      method: "GET",
      url: "http://\(host)/computeMetadata/v1/instance/service-accounts/default/token"
        + "?scopes=\(scopes)",
      headers: [HTTPHeader("Metadata-Flavor", "Google")],
      maximumResponseBytes: TokenRequest.maximumResponseBytes,
      allowsPlaintext: true
    )
    let response: HTTPResponse
    do throws(StatusError) {
      response = try await transport.send(
        request,
        deadline: min(deadline, .now + timeout),
        retry: HTTPRetryPolicy()
      ).response
    } catch {
      guard error.code == .unavailable || error.code == .deadlineExceeded, deadline > .now else {
        throw error
      }
      throw .configuration(
        .unauthenticated,
        "GOOGLE_APPLICATION_CREDENTIALS is not set and there is no metadata server: set it to the "
          + "path of a service account's key file"
      )
    }
    return try response.token(from: "the metadata server", variable: "GCE_METADATA_HOST")
  }
}
