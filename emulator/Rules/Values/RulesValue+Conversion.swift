import Core

extension RulesValue {
  /// Returns the result of `int()`, `float()`, `string()`, `path()` or `vector()`, or `nil` for an
  /// argument of another type.
  static func call(
    conversion name: String,
    _ value: RulesValue
  ) throws(EvaluationError) -> RulesValue? {
    switch (name, value) {
    case ("int", .integer), ("float", .float), ("string", .string): value
    case ("int", .float(let float)): .integer(Int64(saturating: float))
    case ("int", .string(let text)): .integer(try integer(text))
    case ("float", .integer(let integer)): .float(Double(integer))
    case ("float", .string(let text)): .float(try float(text))
    case ("string", _): value.text.map { .string($0) }
    case ("path", .string(let text)): .path(try RulesPath(template: text))
    case ("vector", .list(let elements)): .vector(try vector(elements))
    default: nil
    }
  }

  /// The result of `string()`, or `nil` for a type that it doesn't convert.
  private var text: String? {
    switch self {
    case .null: "null"
    case .boolean(let boolean): boolean ? "true" : "false"
    case .integer(let integer): String(integer)
    case .float(let float): float.javaDescription
    case .string(let string): string
    case .path(let path): path.description
    default: nil
    }
  }

  /// Returns the result of `string()`.
  func converted() throws(EvaluationError) -> String {
    if let text { return text }
    throw Signatures.error(
      of: "string",
      in: Signatures.functions,
      shortName: "string",
      [self]
    )
  }

  /// Returns the segments that `$(self)` stands for in a path.
  func pathSegments() throws(EvaluationError) -> [String] {
    if case .path(let path) = self { return try path.boundSegments() }
    return [try converted()]
  }

  private static func integer(_ text: String) throws(EvaluationError) -> Int64 {
    guard let integer = Int64(text) else { throw .conversion(text, from: .string, to: .int) }
    return integer
  }

  private static func float(_ text: String) throws(EvaluationError) -> Double {
    guard let float = Double(javaText: text) else {
      throw .conversion(text, from: .string, to: .float)
    }
    return float
  }

  private static func vector(_ elements: [RulesValue]) throws(EvaluationError) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      guard case .float(let float) = element else {
        throw .conversion("…", from: .list, to: .vector)
      }
      numbers.append(float)
    }
    return numbers
  }
}

extension Int64 {
  /// Creates the integer nearest to zero from a float. NaN is 0, and a float out of range is the
  /// smallest or the largest integer.
  init(saturating float: Double) {
    if float.isNaN {
      self = 0
    } else if float >= 0x1p63 {
      self = .max
    } else if float < -0x1p63 {
      self = .min
    } else {
      self = Int64(float)
    }
  }
}
