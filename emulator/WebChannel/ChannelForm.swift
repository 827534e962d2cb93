import Core

/// The body of a client's POST request: messages, and headers of the stream.
///
/// The body is a form with the fields `count`, `ofs`, `headers`, and `req0___data__` to
/// `req{count-1}___data__`. Headers are in the body because a page's request with headers of its own
/// needs a preflight.
struct ChannelForm {
  /// The number of the first message.
  var number = 0
  var messages: [Data] = []
  /// The stream's headers, with names in lower case.
  var headers: [String: String] = [:]

  /// The maximum number of messages in a request. The clients' is 1,000.
  private static let maximumCount = 10_000

  /// Parses a form. An empty one has no messages.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a malformed form, or one whose count isn't that of its
  ///   messages.
  init(_ body: Data) throws(StatusError) {
    var count = 0
    var found: [Int: Data] = [:]
    for field in body.split(separator: UInt8(ascii: "&")) {
      let parts = field.split(
        separator: UInt8(ascii: "="),
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      let name = try parts[0].decodingForm()
      let value = parts.count > 1 ? try parts[1].decodingForm() : Data()
      switch String(decoding: name.prefix(64), as: UTF8.self) {
      case "count": count = try Self.integer(value, "count")
      case "ofs": number = try Self.integer(value, "ofs")
      case "headers": headers = Self.headers(String(decoding: value, as: UTF8.self))
      case let text where text.hasPrefix("req") && text.hasSuffix("___data__"):
        if let index = Int(text.dropFirst(3).dropLast(9)) { found[index] = value }
      default: break
      }
    }
    guard count <= Self.maximumCount else {
      throw StatusError(.invalidArgument, "count is more than \(Self.maximumCount)")
    }
    for index in 0..<count {
      guard let message = found[index] else {
        throw StatusError(
          .invalidArgument,
          "count is \(count), but req\(index)___data__ is missing"
        )
      }
      messages.append(message)
    }
  }

  private static func integer(_ value: Data, _ name: String) throws(StatusError) -> Int {
    guard let number = Int(String(decoding: value.prefix(20), as: UTF8.self)),
      (0...(1 << 53)).contains(number)
    else { throw StatusError(.invalidArgument, "\(name) is not a number") }
    return number
  }

  /// Parses lines such as `Authorization:Bearer …`.
  static func headers(_ text: String) -> [String: String] {
    var headers: [String: String] = [:]
    for line in text.utf8.split(whereSeparator: { $0 == 13 || $0 == 10 }) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2, let name = String(parts[0]), let value = String(parts[1]) else {
        continue
      }
      headers[name.lowercased()] = String(value.trimmingPrefix(" "))
    }
    return headers
  }
}

extension Data {
  /// Returns the bytes of a name or value of a form.
  ///
  /// - Throws: `INVALID_ARGUMENT` for a `%` that isn't followed by two hexadecimal digits.
  fileprivate func decodingForm() throws(StatusError) -> Data {
    var decoded = Data()
    decoded.reserveCapacity(count)
    var rest = self[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst()?.hexadecimalDigit,
          let low = rest.popFirst()?.hexadecimalDigit
        else { throw StatusError(.invalidArgument, "the form's percent-encoding is invalid") }
        decoded.append(high << 4 | low)
      default: decoded.append(byte)
      }
    }
    return decoded
  }
}

extension UInt8 {
  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
