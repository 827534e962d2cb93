/// The configuration of an HTTP client.
package struct HTTPClientConfiguration: Sendable {
  /// The source of the certificate authorities to trust.
  package enum Authorities: Hashable, Sendable {
    /// The default of the installed libcurl.
    case libraryDefault
    /// A PEM file of certificates, a directory of certificates whose file names are OpenSSL hashes,
    /// or both.
    case named(file: String?, directory: String?)
  }

  /// The certificate authorities to trust.
  package var authorities: Authorities
  /// The time limit for establishing a connection, if the request's deadline isn't earlier.
  package var connectTimeout: Duration
  /// The maximum size of a response's header lines in bytes.
  package var maximumHeaderBytes: Int

  package init(
    authorities: Authorities = .libraryDefault,
    connectTimeout: Duration = .seconds(10),
    maximumHeaderBytes: Int = 64 * 1024
  ) {
    self.authorities = authorities
    self.connectTimeout = connectTimeout
    self.maximumHeaderBytes = maximumHeaderBytes
  }

  /// Creates a configuration from OpenSSL's environment variables SSL_CERT_FILE and SSL_CERT_DIR.
  /// An empty variable counts as unset.
  ///
  /// On Linux, the trusted authorities are those in the file and the directory that the variables
  /// name. If both are unset, they are those in the directory /etc/ssl/certs. libcurl's default, a
  /// bundle file, would be slow: OpenSSL 3.0 parses a whole bundle, which takes 19 ms per process.
  /// From a directory it reads only the certificate that it needs, which takes 0.2 ms. On other
  /// systems both variables are ignored and libcurl's default applies, which on macOS is the
  /// system's keychain.
  package init(environment: [String: String]) {
    #if os(Linux)
      let file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
      let directory = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
      let fallback = file == nil ? "/etc/ssl/certs" : nil
      self.init(authorities: .named(file: file, directory: directory ?? fallback))
    #else
      self.init()
    #endif
  }
}
