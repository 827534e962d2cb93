import Core
import GoogleAuth
import HTTPClient
import TestKit
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MetadataServerTests {
  private func token(_ server: LoopbackServer) async throws -> AccessToken {
    try await MetadataServer(
      host: "127.0.0.1:\(server.port)",
      transport: .forTests(),
      timeout: .seconds(300)
    )
    .accessToken(deadline: .generous)
  }

  @Test func `the metadata server gets the documented request`() async throws {
    let server = try LoopbackServer(answers: [
      .init(200, #"{"access_token":"ya29.m","expires_in":3000,"token_type":"Bearer"}"#)
    ])
    defer { server.stop() }
    #expect(try await token(server).authorization == "Bearer ya29.m")
    let request = try #require(server.requests.first)
    #expect(request.method == "GET")
    let auth = "https%3A%2F%2Fwww.googleapis.com%2Fauth%2F"
    #expect(
      request.target == "/computeMetadata/v1/instance/service-accounts/default/token?scopes="
        + "\(auth)cloud-platform%2C\(auth)firebase.database%2C\(auth)userinfo.email"
    )
    #expect(request.headers["metadata-flavor"] == "Google")
  }

  @Test func `a silent metadata server is reported with the missing variable, before the deadline`()
    async throws
  {
    let silent = try SilentListener()
    let metadata = MetadataServer(
      host: "127.0.0.1:\(silent.port)",
      transport: .forTests(),
      timeout: .milliseconds(200)
    )
    let error = StatusError.configuration(
      .unauthenticated,
      "GOOGLE_APPLICATION_CREDENTIALS is not set and there is no metadata server: set it to the "
        + "path of a service account's key file"
    )
    await #expect(throws: error) { try await metadata.accessToken(deadline: .generous) }
  }

  @Test func `a refused connection is reported with the missing variable`() async throws {
    let (descriptor, port) = try LoopbackSocket.bound()
    defer { close(descriptor) }
    let metadata = MetadataServer(
      host: "127.0.0.1:\(port)",
      transport: .forTests(),
      timeout: .seconds(300)
    )
    let error = StatusError.configuration(
      .unauthenticated,
      "GOOGLE_APPLICATION_CREDENTIALS is not set and there is no metadata server: set it to the "
        + "path of a service account's key file"
    )
    await #expect(throws: error) { try await metadata.accessToken(deadline: .generous) }
  }

  @Test(arguments: [500, 503, 429])
  func `a failure of the metadata server is temporary`(status: Int) async throws {
    let server = try LoopbackServer(answers: [.init(status)])
    defer { server.stop() }
    let error = StatusError(.unavailable, "the metadata server answered \(status)")
    await #expect(throws: error) { try await token(server) }
  }

  @Test func `another server's answer at its address is no token`() async throws {
    let server = try LoopbackServer(answers: [.init(200, "<html>")])
    defer { server.stop() }
    let error = StatusError(
      .unavailable,
      "the metadata server returned no valid token"
    )
    await #expect(throws: error) { try await token(server) }
  }

  @Test func `a missing account is a configuration error`() async throws {
    let server = try LoopbackServer(answers: [.init(404, "not found")])
    defer { server.stop() }
    let error = StatusError.configuration(
      .unauthenticated,
      #"GCE_METADATA_HOST: the metadata server refused the service account: 404 """#
    )
    await #expect(throws: error) { try await token(server) }
  }
}
