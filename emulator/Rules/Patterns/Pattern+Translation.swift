import Core

extension Pattern {
  /// Returns a pattern in the syntax of every version of RE2.
  ///
  /// A named group may be written `(?<name>…)`, which RE2 accepts since 2023 only. `\C`, a byte, is
  /// refused as in Google's emulator, because it would divide characters.
  static func translated(_ text: String) throws(EvaluationError) -> String {
    let pattern = Array(text.utf8)
    var result: [UInt8] = []
    var isInClass = false
    var isQuoted = false
    var index = 0
    while index < pattern.count {
      let byte = pattern[index]
      if byte == UInt8(ascii: "\\"), index + 1 < pattern.count {
        let escaped = pattern[index + 1]
        if isQuoted {
          isQuoted = escaped != UInt8(ascii: "E")
        } else if escaped == UInt8(ascii: "Q"), !isInClass {
          isQuoted = true
        } else if escaped == UInt8(ascii: "C") {
          throw .pattern(text)
        }
        result += [byte, escaped]
        index += 2
        continue
      }
      result.append(byte)
      index += 1
      guard !isQuoted else { continue }
      switch byte {
      case UInt8(ascii: "["):
        guard !isInClass else { continue }
        isInClass = true
        // A bracket directly after the class's start is a member.
        for next in ["^", "]"] where index < pattern.count && pattern[index] == next.utf8.first {
          result.append(pattern[index])
          index += 1
        }
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "("):
        if !isInClass, pattern[index...].starts(with: "?<".utf8) {
          result += "?P<".utf8
          index += 2
        }
      default: continue
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
