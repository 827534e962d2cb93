/// A parser of JSON (RFC 8259) in UTF-8.
struct JSONParser {
  /// The error of invalid JSON. It has no reason, so that no message repeats the input.
  struct Malformed: Error {
    /// The offset of the byte at which the JSON is invalid. It is the input's length if the JSON has
    /// no end.
    var offset = 0
    /// The field name that an object repeats, if repetition was the reason; otherwise `nil`.
    var repeatedName: String?
    /// A Boolean value that indicates whether the nesting depth was the reason.
    var isTooDeep = false
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: JSONLimits
  private var index = 0
  /// A stack of the fields of unfinished objects. An object's fields are removed at its end, when
  /// their number is known.
  private var members: [(name: ByteKey, value: JSONValue)] = []

  /// Parses JSON. A byte order mark before the first value is allowed.
  static func parse(
    _ data: Data,
    limits: JSONLimits = JSONLimits()
  ) throws(Malformed) -> JSONValue {
    // Check all input once, so that strings need no checks of their own.
    guard data.isValidUTF8 else { throw Malformed() }
    let result: Result<JSONValue, Malformed> = data.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: UInt8.self) { bytes in
        Result { () throws(Malformed) in
          var parser = JSONParser(bytes: bytes, limits: limits)
          do throws(Malformed) {
            return try parser.whole()
          } catch {
            var error = error
            error.offset = parser.index
            throw error
          }
        }
      }
    }
    return try result.get()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func whole() throws(Malformed) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    let value = try value(depth: 0)
    guard peek() == nil else { throw Malformed() }
    return value
  }

  /// Skips white space, and comments if they are allowed, and returns the next byte without consuming
  /// it.
  private mutating func peek() -> UInt8? {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      case UInt8(ascii: "/") where limits.allowsComments && skipComment(): break
      case let byte: return byte
      }
    }
    return nil
  }

  /// Skips a comment: from `//` to the line's end, or from `/*` to `*/`. Returns whether there was
  /// one.
  private mutating func skipComment() -> Bool {
    guard index + 1 < bytes.count else { return false }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"):
      while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      return true
    case UInt8(ascii: "*"):
      var end = index + 3
      while end < bytes.count {
        if bytes[end] == UInt8(ascii: "/"), bytes[end - 1] == UInt8(ascii: "*") {
          index = end + 1
          return true
        }
        end += 1
      }
      return false
    default: return false
    }
  }

  /// Skips white space, and consumes the next byte if it is the given one; returns whether it was.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(Malformed) -> JSONValue {
    switch peek() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(
    _ word: StaticString,
    _ value: JSONValue
  ) throws(Malformed) -> JSONValue {
    let end = index + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[index..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
      )
    else { throw Malformed() }
    index = end
    return value
  }

  private mutating func object(depth: Int) throws(Malformed) -> JSONValue {
    guard depth <= limits.depth else { throw Malformed(isTooDeep: true) }
    index += 1
    if take(UInt8(ascii: "}")) { return .object([:]) }
    let start = members.count
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw Malformed() }
      let name = ByteKey(try string())
      guard take(UInt8(ascii: ":")) else { throw Malformed() }
      let value = try value(depth: depth)
      members.append((name, value))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw Malformed() }
    var object = JSONObject(minimumCapacity: members.count - start)
    for (name, value) in members[start...] { object[name] = value }
    let allowsRepeatedNames =
      depth == 1 ? limits.allowsRepeatedNamesAtTop : limits.allowsRepeatedNames
    if !allowsRepeatedNames, object.count < members.count - start {
      var names: Set<ByteKey> = []
      throw Malformed(
        repeatedName: members[start...].first { !names.insert($0.name).inserted }?.name.string
      )
    }
    members.removeSubrange(start...)
    return .object(object)
  }

  private mutating func array(depth: Int) throws(Malformed) -> JSONValue {
    guard depth <= limits.depth else { throw Malformed(isTooDeep: true) }
    index += 1
    var values: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat {
      values.append(try value(depth: depth))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw Malformed() }
    return .array(values)
  }

  // MARK: Strings

  /// Parses a string.
  ///
  /// - Precondition: The next byte is a quotation mark.
  private mutating func string() throws(Malformed) -> String {
    index += 1
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return String(
          decoding: UnsafeBufferPointer(rebasing: bytes[start..<(index - 1)]),
          as: UTF8.self
        )
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw Malformed()
      default: index += 1
      }
    }
    throw Malformed()
  }

  /// Parses the rest of a string that has escapes.
  ///
  /// - Parameter start: The start of the string; `index` is at its first backslash.
  private mutating func escapedString(from start: Int) throws(Malformed) -> String {
    var content = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &content)
      case 0..<0x20: throw Malformed()
      default: content.append(byte)
      }
    }
    throw Malformed()
  }

  private mutating func escape(into content: inout [UInt8]) throws(Malformed) {
    guard index < bytes.count else { throw Malformed() }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"): content.append(contentsOf: String(try scalar()).utf8)
    default: throw Malformed()
    }
  }

  /// Parses one \u escape, or two that form a surrogate pair. An unpaired surrogate is an error.
  private mutating func scalar() throws(Malformed) -> Unicode.Scalar {
    let first = try codeUnit()
    guard UTF16.isLeadSurrogate(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw Malformed() }
      return scalar
    }
    guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw Malformed() }
    index += 2
    let second = try codeUnit()
    guard UTF16.isTrailSurrogate(second) else { throw Malformed() }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private mutating func codeUnit() throws(Malformed) -> UInt16 {
    guard index + 4 <= bytes.count else { throw Malformed() }
    var unit: UInt16 = 0
    for byte in bytes[index..<(index + 4)] {
      switch byte {
      case 0x30...0x39: unit = unit << 4 | UInt16(byte - 0x30)
      case 0x41...0x46: unit = unit << 4 | UInt16(byte - 0x41 + 10)
      case 0x61...0x66: unit = unit << 4 | UInt16(byte - 0x61 + 10)
      default: throw Malformed()
      }
    }
    index += 4
    return unit
  }

  // MARK: Numbers

  private mutating func number() throws(Malformed) -> JSONValue {
    let start = index
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let digits = try skipDigits()
    // Leading zeros are not allowed.
    if digits.count > 1, bytes[digits.lowerBound] == 0x30 { throw Malformed() }
    var isInteger = true
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      _ = try skipDigits()
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-")
      {
        index += 1
      }
      _ = try skipDigits()
    }
    if isInteger, let integer = integer(digits, isNegative: isNegative) {
      return isNegative && integer == 0 ? .number(-0.0) : .integer(integer)
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let number = Double(text), number.isFinite else { throw Malformed() }
    return .number(number)
  }

  /// Skips one or more digits and returns their range.
  private mutating func skipDigits() throws(Malformed) -> Range<Int> {
    let start = index
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
    guard index > start else { throw Malformed() }
    return start..<index
  }

  /// Returns the integer, or `nil` if it doesn't fit into 64 bits.
  private func integer(_ digits: Range<Int>, isNegative: Bool) -> Int64? {
    var value: Int64 = 0
    for byte in bytes[digits] {
      let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let digit = Int64(byte - 0x30)
      let (sum, overflows) =
        isNegative
        ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
      guard !isTooLarge, !overflows else { return nil }
      value = sum
    }
    return value
  }
}
