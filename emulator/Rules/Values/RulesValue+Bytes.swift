import Core
import Cryptography

extension RulesValue {
  static func call(_ method: String, on bytes: Data, _ arguments: Arguments) -> RulesValue? {
    switch (method, arguments) {
    case ("size", .none): .integer(Int64(bytes.count))
    case ("toBase64", .none): .string(base64(bytes))
    case ("toHexString", .none): .string(hexadecimal(bytes))
    default: nil
    }
  }

  /// Returns bytes in the URL-safe alphabet of Base64, with padding.
  private static func base64(_ bytes: Data) -> String {
    bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
  }

  /// Returns bytes in upper-case hexadecimal digits.
  private static func hexadecimal(_ bytes: Data) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the result of a function of the namespace `hashing`.
  static func call(hashing name: String, _ arguments: Arguments) -> RulesValue? {
    let bytes: Data
    switch arguments {
    case .one(.bytes(let data)): bytes = data
    case .one(.string(let text)): bytes = Data(text.utf8)
    default: return nil
    }
    let digest: [UInt8]? =
      switch name {
      case "md5": MD5.digest(bytes)
      case "sha256": SHA256.digest(bytes)
      case "crc32": CRC32.digest(bytes)
      case "crc32c": CRC32C.digest(bytes)
      default: nil
      }
    return digest.map { .bytes(Data($0)) }
  }
}
