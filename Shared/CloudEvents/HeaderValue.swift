import Core
import HTTPService

/// CloudEvents attributes as values of HTTP headers, which hold printable ASCII.
///
/// Source: CloudEvents HTTP protocol binding 1.0, section 3.1.3.2.
enum HeaderValue {
  /// Percent-encodes space, `"`, `%` and all that isn't printable ASCII, byte by byte of UTF-8.
  static func encode(_ text: String) -> String {
    PercentEncoding.encode(text) { byte in
      0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "%")
    }
  }

  /// Undoes it, whatever was encoded.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the header, for encoding that isn't, or isn't UTF-8, and
  ///   for control characters.
  static func decode(_ value: String, of header: String) throws(StatusError) -> String {
    let text: String
    do {
      text = try ServiceRequest.decode(value)
    } catch {
      throw StatusError(
        .invalidArgument,
        "the header \(quoted(header)) is not percent-encoded UTF-8"
      )
    }
    guard !text.hasControlCharacters else {
      throw StatusError(.invalidArgument, "the header \(quoted(header)) has control characters")
    }
    return text
  }
}
