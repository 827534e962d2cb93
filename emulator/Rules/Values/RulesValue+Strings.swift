import Core

extension String {
  /// Returns the result of a method of a string. Its size counts UTF-16 units, as in Google's
  /// emulator; `lower()` and `upper()` change ASCII letters only.
  func call(_ method: String, _ arguments: Arguments) throws(EvaluationError) -> RulesValue? {
    switch (method, arguments) {
    case ("size", .none): .integer(Int64(utf16.count))
    case ("lower", .none): .string(mappingBytes { Self.isLetter($0) ? $0 | 0x20 : $0 })
    case ("upper", .none): .string(mappingBytes { Self.isLetter($0) ? $0 & 0xDF : $0 })
    case ("trim", .none): .string(trimmingScalars { $0.value <= 0x20 })
    case ("toUtf8", .none): .bytes(Data(utf8))
    case ("matches", .one(.string(let pattern))):
      .boolean(try Patterns.shared.pattern(pattern).matches(self))
    case ("split", .one(.string(let pattern))):
      .list(try Patterns.shared.pattern(pattern).split(self).map { .string($0) })
    case ("replace", .two(.string(let pattern), .string(let replacement))):
      .string(try Patterns.shared.pattern(pattern).replace(in: self, with: replacement))
    default: nil
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private func mappingBytes(_ transform: (UInt8) -> UInt8) -> String {
    String(decoding: utf8.map(transform), as: UTF8.self)
  }
}
