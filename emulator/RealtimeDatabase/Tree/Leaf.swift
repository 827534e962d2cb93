package import Core

/// A value without children, or a priority.
package enum Leaf: Sendable {
  case boolean(Bool)
  case number(Double)
  case string(String)

  /// The maximum size of a text in bytes.
  static let mostBytes = 10 << 20

  /// Creates a leaf from JSON, or returns `nil` if the JSON is null, a list or an object.
  init?(_ json: JSONValue) {
    switch json {
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .number(Double(value))
    // JavaScript's JSON has no negative zero.
    case .number(let value): self = .number(value == 0 ? 0 : value)
    case .string(let value): self = .string(value)
    case .null, .array, .object: return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .boolean(let value): .boolean(value)
    case .number(let value): Int64(exactly: value).map { .integer($0) } ?? .number(value)
    case .string(let value): .string(value)
    }
  }
}

extension Leaf: Hashable {
  package static func == (left: Leaf, right: Leaf) -> Bool {
    switch (left, right) {
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .boolean(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .string(let value): ByteKey(value).hash(into: &hasher)
    }
  }
}
