import HTTPClient
import Testing

@Suite struct HTTPClientConfigurationTests {
  #if os(Linux)
    @Test(
      arguments: [
        ([:], .named(file: nil, directory: "/etc/ssl/certs")),
        (
          ["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""], .named(file: nil, directory: "/etc/ssl/certs")
        ),
        (["SSL_CERT_DIR": "/d"], .named(file: nil, directory: "/d")),
        (["SSL_CERT_FILE": "/f"], .named(file: "/f", directory: nil)),
        (["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d"], .named(file: "/f", directory: "/d")),
      ] as [([String: String], HTTPClientConfiguration.Authorities)]
    )
    func `OpenSSL's variables set the certificate authorities`(
      environment: [String: String],
      authorities: HTTPClientConfiguration.Authorities
    ) {
      #expect(HTTPClientConfiguration(environment: environment).authorities == authorities)
    }
  #else
    @Test func `without them the library's own authorities are used`() {
      let configuration = HTTPClientConfiguration(environment: ["SSL_CERT_FILE": "/f"])
      #expect(configuration.authorities == .libraryDefault)
    }
  #endif
}
