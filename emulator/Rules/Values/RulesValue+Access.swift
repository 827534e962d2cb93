package import Core

extension RulesValue {
  /// Returns the result of `self.name`.
  package func member(_ name: ByteKey) throws(EvaluationError) -> RulesValue {
    switch self {
    case .map(let map):
      guard let value = map[name] else { throw .undefinedProperty(name.string) }
      return value
    case .path(let path): return try path.member(name.string)
    case .null: throw .nullValue
    default: throw .type(self, expected: .map, .path)
    }
  }

  /// Returns the result of `self[index]`.
  ///
  /// A string's index counts UTF-16 units, as in Google's emulator.
  package func element(at index: RulesValue) throws(EvaluationError) -> RulesValue {
    switch (self, index) {
    case (.map, .string(let key)): return try member(ByteKey(key))
    case (.list(let elements), .integer(let index)):
      return elements[try Self.offset(index, size: elements.count)]
    case (.string(let string), .integer(let index)):
      let units = string.utf16
      let offset = try Self.offset(index, size: units.count)
      return .string(try string.slice(offset..<offset + 1))
    case (.path(let path), .integer(let index)):
      let segments = try path.boundSegments()
      return .string(segments[try Self.offset(index, size: segments.count)])
    case (.path(let path), .string(let name)): return try path.member(name)
    case (.null, _): throw .nullValue
    case (.map, _), (.list, _), (.string, _), (.path, _):
      let expected =
        switch self {
        case .map: "map[string]"
        case .path: "path[string], path[int]"
        default: "\(typeName)[int]"
        }
      throw .unsupported("\(typeName)[\(index.typeName)]", expected: expected)
    default: throw .functionNotFound("[]")
    }
  }

  /// Returns the result of `self[from:to]`.
  ///
  /// Google's emulator requires that the elements at `from` and at `to - 1` exist, even if the slice
  /// is empty.
  package func slice(
    from: RulesValue?,
    to: RulesValue?
  ) throws(EvaluationError) -> RulesValue {
    switch self {
    case .list(let elements):
      let range = try range(from, to, size: elements.count)
      return .list(Array(elements[range]))
    case .string(let string):
      return .string(try string.slice(try range(from, to, size: string.utf16.count)))
    case .path(let path):
      let parts = try path.boundParts()
      return .path(RulesPath(parts: Array(parts[try range(from, to, size: parts.count)])))
    case .null: throw .nullValue
    default: throw .functionNotFound("@range")
    }
  }

  private static func offset(_ index: Int64, size: Int) throws(EvaluationError) -> Int {
    guard (0..<Int64(size)).contains(index) else { throw .index(index, size: size) }
    return Int(index)
  }

  private func range(
    _ from: RulesValue?,
    _ to: RulesValue?,
    size: Int
  ) throws(EvaluationError) -> Range<Int> {
    let bounds = (from ?? .null, to ?? .null)
    let (lower, upper): (Int64, Int64)
    switch bounds {
    case (.null, .null): (lower, upper) = (0, Int64(size))
    case (.null, .integer(let to)): (lower, upper) = (0, to)
    case (.integer(let from), .null): (lower, upper) = (from, Int64(size))
    case (.integer(let from), .integer(let to)): (lower, upper) = (from, to)
    default:
      let name = typeName
      let second = "\(name)[null:int]"
      let last = "\(name)[int:int]"
      let middle =
        type == .path ? [last, "\(name)[int:null]", second] : [second, "\(name)[int:null]", last]
      throw .unsupported(
        "\(name)[\(bounds.0.typeName):\(bounds.1.typeName)]",
        expected: (["\(name)[null:null]"] + middle).joined(separator: ", ")
      )
    }
    _ = try Self.offset(lower, size: size)
    guard upper != .min else { throw .index(upper, size: size) }
    _ = try Self.offset(upper - 1, size: size)
    guard lower <= upper else {
      throw EvaluationError("Illegal range error. From index: [\(lower)] , To index: [\(upper)].")
    }
    return Int(lower)..<Int(upper)
  }
}

extension String {
  /// Returns a part of the string by UTF-16 units.
  ///
  /// - Throws: An error if the range divides a character beyond U+FFFF. Google's emulator returns
  ///   half of the character, which isn't Unicode text.
  func slice(_ range: Range<Int>) throws(EvaluationError) -> String {
    let units = utf16
    let start = units.index(units.startIndex, offsetBy: range.lowerBound)
    let end = units.index(start, offsetBy: range.count)
    guard let slice = String(units[start..<end]) else {
      throw EvaluationError("The slice divides a character.")
    }
    return slice
  }
}

extension RulesPath {
  /// Returns the segments, or throws if a capture isn't bound.
  func boundSegments() throws(EvaluationError) -> [String] {
    if let unboundName { throw Self.unbound(unboundName) }
    return segments
  }

  /// Returns a part for each segment, or throws if a capture isn't bound.
  fileprivate func boundParts() throws(EvaluationError) -> [Part] {
    if let unboundName { throw Self.unbound(unboundName) }
    return parts.flatMap { part -> [Part] in
      if case .globCapture(_, let segments?) = part {
        segments.map { .segment($0) }
      } else {
        [part]
      }
    }
  }

  /// Returns the value of a capture.
  func member(_ name: String) throws(EvaluationError) -> RulesValue {
    for part in parts {
      switch part {
      case .segment: continue
      case .capture(let captured, let segment) where captured.hasSameBytes(as: name):
        guard let segment else { throw Self.unbound(name) }
        return .string(segment)
      case .globCapture(let captured, let segments) where captured.hasSameBytes(as: name):
        guard let segments else { throw Self.unbound(name) }
        return .path(RulesPath(segments))
      case .capture, .globCapture: continue
      }
    }
    throw .undefinedProperty(name)
  }

  private static func unbound(_ name: String) -> EvaluationError {
    EvaluationError("Variable \(name) is not bound in path template.")
  }
}
