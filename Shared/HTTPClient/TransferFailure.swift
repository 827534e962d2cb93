import CLibcurl
import Core

/// What a failed transfer means to the caller.
enum TransferFailure {
  /// libcurl counts in milliseconds and may be that much early.
  private static let clockTolerance = Duration.milliseconds(10)

  /// How to trust another authority, where `HTTPClientConfiguration` reads these variables.
  private static var trustHint: String {
    #if os(Linux)
      "; SSL_CERT_FILE or SSL_CERT_DIR name the authorities to trust"
    #else
      ""
    #endif
  }

  /// Maps libcurl's verdict to the package's error.
  ///
  /// - Parameter detail: libcurl's longer text. It's used for TLS failures only, where it can't
  ///   quote the request.
  static func error(_ result: CURLcode, detail: String, of job: TransferJob) -> StatusError {
    let target = job.target
    let reason = String(cString: curl_easy_strerror(result))
    switch result {
    case CURLE_OPERATION_TIMEDOUT:
      if ContinuousClock.now.advanced(by: clockTolerance) < job.deadline {
        return StatusError(.unavailable, "\(target): the connection took too long")
      }
      return job.deadlineExceeded
    case CURLE_UNSUPPORTED_PROTOCOL:
      // The URL's scheme is checked before: this is about the protocol that the server speaks.
      return StatusError(.unavailable, "\(target): the answer wasn't HTTP")
    case CURLE_URL_MALFORMAT:
      return .configuration(.failedPrecondition, "\(target): \(reason)")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return .configuration(
        .failedPrecondition,
        "\(target): \(detail.isEmpty ? reason : detail)\(trustHint)"
      )
    case CURLE_SEND_FAIL_REWIND:
      return StatusError(.unavailable, "\(target): the connection broke before an answer came")
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
