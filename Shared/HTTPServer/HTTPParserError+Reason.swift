import NIOHTTP1

extension HTTPParserError {
  /// A message for the parser's error. Some errors have several possible reasons.
  var reason: String {
    switch self {
    case .headerOverflow: "the request's headers are too large"
    case .invalidMethod: "the request's method is unknown"
    case .invalidURL: "the request's target is malformed"
    case .invalidVersion: "the version of HTTP is neither 1.0 nor 1.1"
    case .unexpectedContentLength: "the request has more than one Content-Length"
    case .invalidContentLength:
      "the Content-Length is not a number, or there are both Content-Length and Transfer-Encoding"
    // The parser reports both of these errors as `unknown`.
    case .unknown:
      "the Transfer-Encoding is malformed, or there are both Content-Length and Transfer-Encoding"
    case .invalidChunkSize: "the body's chunks are malformed"
    default: "the request is malformed"
    }
  }
}
