package import Core
package import HTTPClient

/// Google Cloud's metadata server, which gives a function the token of its service account.
package struct MetadataServer: AccessTokenSource {
  private let host: String
  private let transport: HTTPClient
  private let patience: Duration

  /// - Parameters:
  ///   - host: GCE_METADATA_HOST, else Google's own.
  ///   - patience: how long the first answer may take. Where there is a metadata server it comes at
  ///     once; elsewhere its address may swallow what is sent to it.
  package init(
    host: String?,
    transport: HTTPClient,
    patience: Duration = .milliseconds(1_500)
  ) {
    self.host = host ?? "metadata.google.internal"
    self.transport = transport
    self.patience = patience
  }

  package func accessToken(deadline: ContinuousClock.Instant) async throws(StatusError)
    -> AccessToken
  {
    // Plain http is Google's own way here: the address exists only inside the machine's network.
    let request = HTTPRequest(
      method: "GET",
      url: "http://\(host)/computeMetadata/v1/instance/service-accounts/default/token",
      headers: [HTTPHeader("Metadata-Flavor", "Google")],
      maximumResponseBytes: TokenRequest.maximumResponseBytes,
      allowsPlaintext: true
    )
    let response: HTTPResponse
    do throws(StatusError) {
      response = try await transport.send(
        request,
        deadline: min(deadline, .now + patience),
        retry: HTTPRetryPolicy()
      ).response
    } catch {
      guard error.code == .unavailable || error.code == .deadlineExceeded, deadline > .now else {
        throw error
      }
      throw .configuration(
        .unauthenticated,
        "GOOGLE_APPLICATION_CREDENTIALS is not set and there is no metadata server"
      )
    }
    return try response.token(from: "the metadata server", variable: "GCE_METADATA_HOST")
  }
}
