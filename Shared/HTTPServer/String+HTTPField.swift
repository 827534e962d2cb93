/// What a header may be (RFC 9110, sections 5.5 and 5.6.2). NIO sends no answer that has another one.
extension String {
  var isFieldName: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// The same with a space for each control character.
  var fieldValue: String {
    guard utf8.contains(where: \.isControl) else { return self }
    return String(decoding: utf8.map { $0.isControl ? 0x20 : $0 }, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }
}
