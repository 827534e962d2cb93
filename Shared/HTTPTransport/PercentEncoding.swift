/// Text made safe for URLs and forms.
package enum PercentEncoding {
  /// Encodes everything but the unreserved characters of RFC 3986 (letters, digits, `-._~`).
  ///
  /// The result fits a path segment as well as a name or value in a query. The segments `.` and
  /// `..` can't be expressed in a URL: whoever builds a path from foreign text must refuse them.
  package static func encode(_ text: String) -> String {
    encode(text, keeping: "-._~", spaceAsPlus: false)
  }

  /// A query without its question mark: encoded `name=value` pairs joined by `&`.
  package static func query(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }

  /// The content of an application/x-www-form-urlencoded body, as the WHATWG URL standard
  /// serialises it: a space is `+`, and only letters, digits and `*-._` stay.
  package static func form(_ fields: [(name: String, value: String)]) -> String {
    fields.map { field in
      let name = encode(field.name, keeping: "*-._", spaceAsPlus: true)
      let value = encode(field.value, keeping: "*-._", spaceAsPlus: true)
      return "\(name)=\(value)"
    }.joined(separator: "&")
  }

  private static func encode(
    _ text: String,
    keeping marks: StaticString,
    spaceAsPlus: Bool
  ) -> String {
    // Nearly all texts are as they have to be.
    if text.utf8.allSatisfy({ isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }) {
      return text
    }
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    let marks = Set(marks.description.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case _ where isAlphanumeric(byte):
        bytes.append(byte)
      case 0x20 where spaceAsPlus:
        bytes.append(UInt8(ascii: "+"))
      case _ where marks.contains(byte):
        bytes.append(byte)
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimal[Int(byte >> 4)])
        bytes.append(hexadecimal[Int(byte & 0x0F)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
