import CLibcurl
import Core

/// A conversion of libcurl's errors to `StatusError`.
enum TransferFailure {
  /// The time by which a timeout of libcurl may be early.
  private static let clockTolerance = Duration.milliseconds(10)

  /// The end of TLS errors, which says how to trust another certificate authority. It is empty on
  /// systems where `HTTPClientConfiguration` ignores SSL_CERT_FILE and SSL_CERT_DIR.
  private static var trustHint: String {
    #if os(Linux)
      "; to trust another authority, set SSL_CERT_FILE or SSL_CERT_DIR"
    #else
      ""
    #endif
  }

  /// Returns the error for a result of libcurl.
  ///
  /// - Parameter detail: libcurl's longer message. It is used only for TLS failures, because other
  ///   messages may quote the request.
  static func error(_ result: CURLcode, detail: String, of job: TransferJob) -> StatusError {
    let target = job.target
    let reason = String(cString: curl_easy_strerror(result))
    switch result {
    case CURLE_OPERATION_TIMEDOUT:
      if ContinuousClock.now.advanced(by: clockTolerance) < job.deadline {
        return StatusError(.unavailable, "\(target): timed out while connecting")
      }
      return job.deadlineExceeded
    case CURLE_UNSUPPORTED_PROTOCOL:
      // The URL's scheme has been checked, so the error is about the protocol of the response.
      return StatusError(.unavailable, "\(target): the response is not HTTP")
    case CURLE_URL_MALFORMAT:
      return .configuration(.failedPrecondition, "\(target): \(reason)")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return .configuration(
        .failedPrecondition,
        "\(target): \(detail.isEmpty ? reason : detail)\(trustHint)"
      )
    case CURLE_SEND_FAIL_REWIND:
      return StatusError(.unavailable, "\(target): the connection broke before a response arrived")
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY,
      CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
      CURLE_SSL_CONNECT_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PROXY,
      CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      return StatusError(.unavailable, "\(target): \(reason)")
    default:
      return StatusError(.internal, "\(target): \(reason)")
    }
  }
}
