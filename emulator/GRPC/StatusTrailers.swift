import Core
import NIOHPACK

/// The trailers that end a call, with its status.
///
/// Source: gRPC over HTTP/2, "Responses".
enum StatusTrailers {
  static let ok: HPACKHeaders = ["grpc-status": "0"]

  /// The maximum size of an error's message, in bytes. Clients accept 8 KiB of metadata, and
  /// percent-encoding may triple the size.
  private static let maximumMessageBytes = 2_000
  /// The maximum size of a message that is also sent in the status details, in bytes.
  private static let maximumDetailBytes = 1_000

  static func make(_ error: StatusError?) -> HPACKHeaders {
    guard let error else { return ok }
    let message = String(decoding: error.message.utf8.prefix(maximumMessageBytes), as: UTF8.self)
    var headers: HPACKHeaders = [
      "grpc-status": String(error.code.number), "grpc-message": percentEncoded(message),
    ]
    if message.utf8.count <= maximumDetailBytes {
      headers.add(name: "grpc-status-details-bin", value: details(error.code, message))
    }
    return headers
  }

  /// Returns percent-encoded text. Printable ASCII characters other than the percent sign aren't
  /// encoded.
  static func percentEncoded(_ text: String) -> String {
    let isPlain = { (byte: UInt8) in (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "%") }
    if text.utf8.allSatisfy(isPlain) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns an encoded `google.rpc.Status` (code = 1, message = 2) as Base64 without padding.
  private static func details(_ code: StatusCode, _ message: String) -> String {
    var status: [UInt8] = [0x08, UInt8(code.number), 0x12]
    var length = message.utf8.count
    while length >= 0x80 {
      status.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    status.append(UInt8(length))
    status += message.utf8
    let encoded = Data(status).base64EncodedString()
    return String(encoded.prefix { $0 != "=" })
  }
}
