/// The configuration of an HTTP client.
package struct HTTPClientConfiguration: Sendable {
  /// The source of the certificate authorities to trust.
  package enum Authorities: Hashable, Sendable {
    /// The default of this build of libcurl.
    case libraryDefault
    /// A PEM file of certificates, a directory of certificates under their OpenSSL hashes, or both.
    case named(file: String?, directory: String?)
  }

  /// The certificate authorities to trust.
  package var authorities: Authorities
  /// The time limit for establishing a connection; the deadline may come sooner.
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

  /// Creates a configuration from SSL_CERT_FILE and SSL_CERT_DIR, OpenSSL's own variables. An empty
  /// one counts as unset.
  ///
  /// If SSL_CERT_FILE is set, only that file is trusted, unless SSL_CERT_DIR is set too. On Linux
  /// the default is the directory /etc/ssl/certs and not libcurl's bundle file: OpenSSL 3.0 parses
  /// a whole bundle, 19 ms per process, but reads from a directory only the certificate it needs,
  /// 0.2 ms. On other systems libcurl's default applies; on macOS it uses the system's keychain.
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
