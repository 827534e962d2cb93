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
    guard !segment.isEmpty else { throw invalid("Empty segment is not allowed.") }
    guard segment.utf8.first == UInt8(ascii: "{") else { return .segment(segment) }
    guard segment.utf8.last == UInt8(ascii: "}") else {
      throw invalid("The capture segment is not closed.")
    }
    let name = String(segment.dropFirst().dropLast())
    for (suffix, isGlob) in [("=**", true), ("=*", false)] where name.hasSuffix(suffix) {
      let name = String(name.dropLast(suffix.count))
      guard name.isIdentifier else { throw invalid(name.identifierError) }
      return isGlob ? .globCapture(name, nil) : .capture(name, nil)
    }
    guard name.isIdentifier else { throw invalid(name.identifierError) }
    return .capture(name, nil)
  }

  private var captureNames: [ByteKey] {
    parts.compactMap { part in
      switch part {
      case .segment: nil
      case .capture(let name, _), .globCapture(let name, _): ByteKey(name)
      }
    }
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
      let list = unknown.map(\.string).joined(separator: ", ")
      throw EvaluationError("Variable(s) \(list) do not exist in the path template.")
    }
    var bound: [Part] = []
    for part in parts {
      switch part {
      case .segment: bound.append(part)
      case .capture(let name, _):
        guard let value = values[ByteKey(name)] else { continue }
        bound.append(.capture(name, try value.converted()))
      case .globCapture(let name, _):
        guard let value = values[ByteKey(name)] else { continue }
        guard case .path(let path) = value else { throw .type(value, expected: .path) }
        bound.append(.globCapture(name, try path.boundSegments()))
      }
    }
    return RulesPath(parts: bound)
  }
}

extension String {
  fileprivate var isIdentifier: Bool {
    guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
    return utf8.allSatisfy { byte in
      byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte >= 0x80
        || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
  }

  fileprivate var identifierError: String {
    "[Identifier [\(self)] should start with letter, dollar sign, or underscore and should not "
      + "start with digit and must not contain spaces."
  }
}
