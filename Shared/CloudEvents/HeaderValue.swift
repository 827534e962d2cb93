import Core
import HTTPService

/// The encoding of CloudEvents attributes as HTTP header values, which may contain only printable
/// ASCII.
///
/// Source: CloudEvents HTTP protocol binding 1.0, section 3.1.3.2.
enum HeaderValue {
  /// Percent-encodes space, `"`, `%` and everything that isn't printable ASCII, as bytes of UTF-8.
  static func encode(_ text: String) -> String {
    PercentEncoding.encode(text) { byte in
      0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "%")
    }
  }

  /// Decodes a value. Any character may be percent-encoded, even one that `encode` doesn't encode.
  ///
  /// - Throws: `INVALID_ARGUMENT`, naming the header, for invalid percent-encoding or UTF-8, and
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
