extension String {
  /// The text as a field value, with each control character replaced by a space. NIO refuses to
  /// send a response with control characters.
  ///
  /// Source: RFC 9110, section 5.5.
  var fieldValue: String {
    guard utf8.contains(where: \.isControl) else { return self }
    return String(decoding: utf8.map { $0.isControl ? 0x20 : $0 }, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }
}
