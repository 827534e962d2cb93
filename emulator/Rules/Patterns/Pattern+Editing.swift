import Core

extension Pattern {
  /// Returns the pieces of a text between the matches, without the empty ones at the end.
  ///
  /// At least one piece is returned, as in Google's emulator: `',,'.split(',') == ['']`.
  func split(_ text: String) throws(EvaluationError) -> [String] {
    var text = text
    var bounds: [Range<Int>] = []
    var start = 0
    try text.withBytes { bytes throws(EvaluationError) in
      try forEachMatch(in: bytes, groups: 0) { ranges throws(EvaluationError) in
        guard bounds.count < Limits.elements else { throw .tooLarge }
        guard let match = ranges[0] else { return }
        bounds.append(start..<match.lowerBound)
        start = match.upperBound
      }
      bounds.append(start..<bytes.count)
    }
    while bounds.count > 1, bounds.last?.isEmpty == true { bounds.removeLast() }
    return bounds.map { text.bytes(in: $0) }
  }

  /// Returns a text with all matches replaced.
  ///
  /// In the replacement, `$1` and `${name}` stand for groups, and a backslash takes the meaning from
  /// the next character, as in Google's emulator.
  func replace(in text: String, with replacement: String) throws(EvaluationError) -> String {
    let parts = parts(of: replacement)
    let groups = parts.reduce(0) { most, part in
      if case .group(let group) = part { max(most, group) } else { most }
    }
    var text = text
    var result: [UInt8] = []
    var start = 0
    try text.withBytes { bytes throws(EvaluationError) in
      try forEachMatch(in: bytes, groups: groups) { ranges throws(EvaluationError) in
        guard let match = ranges[0] else { return }
        result += bytes[start..<match.lowerBound]
        start = match.upperBound
        for part in parts {
          switch part {
          case .text(let text): result += text
          case .group(let group):
            if let range = ranges[group] { result += bytes[range] }
          case .invalid(let error): throw error
          }
          guard result.count <= Limits.bytes else { throw .tooLarge }
        }
      }
      result += bytes[start...]
    }
    return String(decoding: result, as: UTF8.self)
  }

  private enum Part {
    case text([UInt8])
    case group(Int)
    /// An unknown group. It matters only if there is something to replace.
    case invalid(EvaluationError)
  }

  private func parts(of replacement: String) -> [Part] {
    var parts: [Part] = []
    var text: [UInt8] = []
    var rest = replacement.utf8[...]
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        text.append(escaped)
      } else if byte == UInt8(ascii: "$"), isDigit(rest.first) || rest.first == UInt8(ascii: "{") {
        parts.append(.text(text))
        text = []
        do throws(EvaluationError) {
          parts.append(.group(isDigit(rest.first) ? try number(&rest) : try named(&rest)))
        } catch {
          return parts + [.invalid(error)]
        }
      } else {
        text.append(byte)
      }
    }
    return parts + [.text(text)]
  }

  /// Reads the longest number that is a group's.
  private func number(_ rest: inout Substring.UTF8View) throws(EvaluationError) -> Int {
    var group = 0
    var isFirst = true
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      let next = group * 10 + Int(byte - 0x30)
      guard next <= groupCount else {
        if isFirst { throw EvaluationError("The pattern has no group \(next).") }
        break
      }
      group = next
      isFirst = false
      rest.removeFirst()
    }
    return group
  }

  /// Reads `{name}`.
  private func named(_ rest: inout Substring.UTF8View) throws(EvaluationError) -> Int {
    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
      throw EvaluationError("A group's name in the replacement isn't closed.")
    }
    let name = String(Substring(rest[rest.index(after: rest.startIndex)..<end]))
    guard let group = group(name) else {
      throw EvaluationError("The pattern has no group \(name).")
    }
    rest = rest[rest.index(after: end)...]
    return group
  }
}

extension String {
  fileprivate func bytes(in range: Range<Int>) -> String {
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(self[start..<utf8.index(start, offsetBy: range.count)])
  }

  /// `withUTF8` for a closure that throws evaluation errors.
  fileprivate mutating func withBytes(
    _ body: (UnsafeBufferPointer<UInt8>) throws(EvaluationError) -> Void
  ) throws(EvaluationError) {
    let result: Result<Void, EvaluationError> = withUTF8 { bytes in
      do throws(EvaluationError) { return .success(try body(bytes)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
