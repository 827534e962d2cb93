import Core

extension Double {
  /// The number as Java writes it: `1.0`, `1.0E8`, `1.0E-4`, `NaN`, `Infinity`.
  var javaDescription: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    let sign = self.sign == .minus ? "-" : ""
    let (digits, exponent) = magnitude.decimal
    if self == 0 { return sign + "0.0" }
    func padded(_ text: Substring) -> String { text.isEmpty ? "0" : String(text) }
    if (0..<7).contains(exponent) {
      let whole = digits.prefix(exponent + 1)
      let zeros = String(repeating: "0", count: exponent + 1 - whole.count)
      return sign + whole + zeros + "." + padded(digits.dropFirst(exponent + 1))
    }
    if (-3..<0).contains(exponent) {
      return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }
    return sign + digits.prefix(1) + "." + padded(digits.dropFirst()) + "E\(exponent)"
  }

  /// The shortest digits that identify the number, and the exponent of the first one.
  private var decimal: (digits: String, exponent: Int) {
    let text = description
    let parts = text.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    var digits = mantissa.joined()
    exponent += mantissa[0].count - 1
    let zeros = digits.prefix { $0 == "0" }.count
    digits.removeFirst(zeros)
    exponent -= zeros
    while digits.last == "0" { digits.removeLast() }
    return (digits, exponent)
  }

  /// Creates a number from text as Java reads it.
  ///
  /// Control characters and spaces around the number are ignored, `NaN` and `Infinity` are numbers,
  /// hexadecimal numbers have an exponent (`0x1p3`), and a suffix such as in `1.5f` is allowed.
  init?(javaText text: String) {
    var bytes = text.utf8[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    let number = String(Substring(bytes))
    let magnitude: Double?
    switch number {
    case "NaN": magnitude = .nan
    case "Infinity": magnitude = .infinity
    default: magnitude = Double(javaDigits: number)
    }
    guard let magnitude else { return nil }
    self = isNegative ? -magnitude : magnitude
  }

  private init?(javaDigits text: String) {
    var text = text
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    if isHexadecimal, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "p") }) { return nil }
    if let last = text.utf8.last, [UInt8(ascii: "d"), UInt8(ascii: "f")].contains(last | 0x20) {
      text.removeLast()
    }
    let letters = isHexadecimal ? "0123456789abcdefABCDEFxXpP.+-" : "0123456789eE.+-"
    guard text.utf8.allSatisfy(letters.utf8.contains), let number = Double(completing: text) else {
      return nil
    }
    self = number
  }

  /// Creates a number from digits that may begin or end with a point, which Swift doesn't accept.
  private init?(completing text: String) {
    var text = text
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    if text.hasPrefix(".") { text = "0" + text }
    let number = text.prefix { !"eEpP".contains($0) }
    if number.hasSuffix(".") { text.insert("0", at: number.endIndex) }
    self.init(text)
  }
}
