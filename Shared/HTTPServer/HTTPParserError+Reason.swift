import NIOHTTP1

extension HTTPParserError {
  /// What the parser stumbled over, as far as it tells.
  var reason: String {
    switch self {
    case .headerOverflow: "the request's headers are too large"
    case .invalidMethod: "the request's method is not known"
    case .invalidURL: "the request's target is malformed"
    case .invalidVersion: "the version of HTTP is neither 1.0 nor 1.1"
    case .unexpectedContentLength: "the request has more than one Content-Length"
    case .invalidContentLength:
      "the Content-Length is no number, or there is Content-Length beside Transfer-Encoding"
    // The parser's only word for it.
    case .unknown:
      "the Transfer-Encoding is malformed, or there is Content-Length beside Transfer-Encoding"
    case .invalidChunkSize: "the body's chunks are malformed"
    default: "the request is malformed"
    }
  }
}
