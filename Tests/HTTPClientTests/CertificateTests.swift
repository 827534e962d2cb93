import Core
import Foundation
import HTTPClient
import TestKit
import Testing

@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: OpenSSLServer.isInstalled, "the openssl tool is not installed")
)
struct CertificateTests {
  private func send(
    to host: String,
    _ server: OpenSSLServer,
    trusting authorities: HTTPClientConfiguration.Authorities
  ) async throws -> HTTPResponse {
    let transport = HTTPClient.forTests(HTTPClientConfiguration(authorities: authorities))
    return try await transport.send(
      .get("https://\(host):\(server.port)/path?key=secret"),
      deadline: .generous
    )
  }

  @Test func `a certificate of a trusted authority is accepted`() async throws {
    let server = try OpenSSLServer()
    defer { server.stop() }
    for authorities: HTTPClientConfiguration.Authorities in [
      .named(file: server.certificate, directory: nil),
      .named(file: nil, directory: server.directory.path),
    ] {
      #expect(try await send(to: "localhost", server, trusting: authorities).status == 200)
    }
  }

  @Test func `any other certificate is a configuration error`() async throws {
    let server = try OpenSSLServer()
    defer { server.stop() }
    let own = HTTPClientConfiguration.Authorities.named(file: server.certificate, directory: nil)
    for (host, authorities): (String, HTTPClientConfiguration.Authorities) in [
      ("localhost", .libraryDefault),
      ("localhost", .named(file: nil, directory: nil)),
      ("localhost", .named(file: "/nonexistent", directory: nil)),
      ("127.0.0.1", own),
    ] {
      let error = await #expect(throws: StatusError.self) {
        try await send(to: host, server, trusting: authorities)
      }
      #expect(error?.code == .failedPrecondition)
      #expect(error?.fault == .configuration)
      #expect(error?.message.hasPrefix("GET https://\(host):\(server.port)/path: ") == true)
      #expect(error?.message.contains("secret") == false)
    }
  }
}
