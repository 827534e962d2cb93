/// What a transport takes from its surroundings.
package struct HTTPClientConfiguration: Sendable {
  /// Where the certificate authorities come from that a server's certificate must lead to.
  package enum Authorities: Hashable, Sendable {
    /// Wherever this build of libcurl looks.
    case libraryDefault
    /// A PEM file of certificates, a directory of them under their OpenSSL hashes, or both.
    case named(file: String?, directory: String?)
  }

  /// The certificate authorities to trust.
  package var authorities: Authorities
  /// How long a connection may take to come about; the deadline may end it sooner.
  package var connectTimeout: Duration
  /// How many bytes a response's header lines may have in all.
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

  /// Reads SSL_CERT_FILE and SSL_CERT_DIR, OpenSSL's own variables. An empty one counts as unset.
  ///
  /// On Linux the default is the directory /etc/ssl/certs and not libcurl's bundle file: OpenSSL
  /// 3.0 parses a bundle whole, 19 ms per process, and reads from a directory the one certificate
  /// it needs, 0.2 ms. A file that is named is trusted alone, unless a directory is named too.
  /// Elsewhere libcurl's default stands: on macOS it knows the system's keychain.
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
