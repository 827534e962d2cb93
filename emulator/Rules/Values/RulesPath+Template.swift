import Core
import FirestoreModel

extension RulesPath {
  /// Creates the path of `path(text)`.
  ///
  /// The text may begin with a slash. Its segments are percent-encoded and may be captures, such as
  /// `{name}` and `{name=**}`, which `bind()` fills.
  init(template text: String) throws(EvaluationError) {
    guard !text.isEmpty else { throw EvaluationError("Empty Path Template is not allowed.") }
    var rest = text[...]
    if rest.utf8.first == UInt8(ascii: "/") { rest.removeFirst() }
    var parts: [Part] = []
    for segment in String(rest).splitAtSlashes {
      parts.append(try Self.part(segment, in: text))
    }
    self.init(parts: parts)
    var names: Set<ByteKey> = []
    for name in captureNames where !names.insert(name).inserted {
      throw EvaluationError("Variable \(name.string) already exists in the PathTemplate.")
    }
  }

  private static func part(_ segment: String, in text: String) throws(EvaluationError) -> Part {
    func invalid(_ reason: String) -> EvaluationError {
      EvaluationError("Invalid Path Template \(text). \(reason)")
    }
    let segment = segment.trimmingScalars { $0.properties.isWhitespace }
    guard !segment.isEmpty else { throw invalid("Empty segment is not allowed.") }
    guard segment.utf8.first == UInt8(ascii: "{") else { return .segment(try decoded(segment)) }
    guard segment.utf8.last == UInt8(ascii: "}") else {
      throw invalid("The capture segment is not closed.")
    }
    var name = String(segment.dropFirst().dropLast()).trimmingScalars { $0.value <= 0x20 }
    let suffix = ["=**", "=*"].first { name.hasSuffix($0) } ?? ""
    name.removeLast(suffix.count)
    guard name.isIdentifier else {
      throw invalid(
        "[Identifier [\(name)] should start with letter, dollar sign, or underscore and should not "
          + "start with digit and must not contain spaces."
      )
    }
    return suffix == "=**" ? .globCapture(name, nil) : .capture(name, nil)
  }

  /// Returns a segment without its percent-encoding. A plus stands for a space, as in forms.
  private static func decoded(_ segment: String) throws(EvaluationError) -> String {
    func invalid(_ reason: String) -> EvaluationError {
      EvaluationError("Unable to decode \(segment) to url. Error: URLDecoder: \(reason)")
    }
    guard segment.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") })
    else { return segment }
    var bytes: [UInt8] = []
    var rest = segment.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = rest.prefix(2)
        guard digits.count == 2 else { throw invalid("Incomplete trailing escape (%) pattern") }
        guard let high = digits.first?.hexadecimalDigit, let low = digits.last?.hexadecimalDigit
        else { throw invalid("Illegal hex characters in escape (%) pattern") }
        bytes.append(high << 4 | low)
        rest.removeFirst(2)
      default: bytes.append(byte)
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw invalid("not UTF-8") }
    return text
  }

  private var captureNames: [ByteKey] {
    parts.compactMap { $0.captureName.map { ByteKey($0) } }
  }

  func call(_ method: String, _ arguments: Arguments) throws(EvaluationError) -> RulesValue? {
    switch (method, arguments) {
    case ("segments", .none): .list(try boundSegments().map { .string($0) })
    case ("bind", .one(.map(let values))): .path(try binding(values))
    default: nil
    }
  }

  /// Returns the path with captures bound. Captures without a value are left out.
  private func binding(_ values: RulesMap) throws(EvaluationError) -> RulesPath {
    try values.requireAll()
    let names = Set(captureNames)
    let unknown = values.sortedKeys.filter { !names.contains($0) }
    guard unknown.isEmpty else {
      let list = unknown.map(\.string).joined(separator: ",")
      throw EvaluationError("Variable(s) \(list) do not exist in the path template.")
    }
    var bound: [Part] = []
    for part in parts {
      guard let name = part.captureName else {
        bound.append(part)
        continue
      }
      guard let value = values[ByteKey(name)] else { continue }
      bound.append(try part.binding(name, to: value))
    }
    return RulesPath(parts: bound)
  }
}

extension RulesPath.Part {
  /// The capture's name, or `nil` for a segment.
  fileprivate var captureName: String? {
    switch self {
    case .segment: nil
    case .capture(let name, _), .globCapture(let name, _): name
    }
  }

  fileprivate func binding(
    _ name: String,
    to value: RulesValue
  ) throws(EvaluationError) -> RulesPath.Part {
    switch self {
    case .segment: return self
    case .capture(_, nil):
      let segment = try value.converted()
      guard !segment.isEmpty else {
        throw EvaluationError("Cannot bind empty value to path template variable \(name).")
      }
      return .capture(name, segment)
    case .globCapture(_, nil):
      guard case .path(let path) = value else { throw .type(value, expected: .path) }
      return .globCapture(name, try path.boundSegments())
    case .capture, .globCapture: throw EvaluationError("Variable \(name) is already bound.")
    }
  }
}

extension UInt8 {
  fileprivate var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension String {
  fileprivate var isIdentifier: Bool {
    guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
    return utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
  }

  /// Returns the string without certain characters at its ends.
  func trimmingScalars(where isTrimmed: (Unicode.Scalar) -> Bool) -> String {
    var scalars = unicodeScalars[...]
    while let first = scalars.first, isTrimmed(first) { scalars.removeFirst() }
    while let last = scalars.last, isTrimmed(last) { scalars.removeLast() }
    return String(scalars)
  }
}
