package import Core

/// A value of a type that only Enterprise databases support. It is sent as a map with one field
/// whose name is reserved.
///
/// Source: the order table and encodings of Google's Python client 2.34.
package enum BSONValue: Hashable, Sendable {
  case minKey
  case maxKey
  case int32(Int64)
  /// A decimal number as text; it is compared with other numbers as a Double.
  case decimal128(String)
  case timestamp(seconds: Int64, increment: Int64)
  case binary
  case objectID(String)
  case regularExpression(pattern: String, options: String)

  /// The reserved field names.
  package static let members: Set<ByteKey> = [
    "__min__", "__max__", "__int__", "__decimal128__", "__request_timestamp__", "__binary__",
    "__oid__", "__regex__",
  ]

  /// Creates a value from a map's fields, or returns `nil` if the map is an ordinary map or its
  /// content is malformed.
  package init?(_ fields: Fields) {
    guard fields.count == 1, let (member, value) = fields.first else { return nil }
    switch (member, value) {
    case ("__min__", .null): self = .minKey
    case ("__max__", .null): self = .maxKey
    case ("__int__", .integer(let integer)) where Int32(exactly: integer) != nil:
      self = .int32(integer)
    case ("__decimal128__", .string(let text)): self = .decimal128(text)
    case ("__request_timestamp__", .map(let parts)):
      guard let seconds = parts["seconds"]?.integerValue,
        let increment = parts["increment"]?.integerValue
      else { return nil }
      self = .timestamp(seconds: seconds, increment: increment)
    case ("__binary__", .bytes(let data)) where !data.isEmpty: self = .binary
    case ("__oid__", .string(let text)) where text.utf8.count == 24: self = .objectID(text)
    case ("__regex__", .map(let parts)):
      guard let pattern = parts["pattern"]?.stringValue,
        let options = parts["options"]?.stringValue
      else { return nil }
      self = .regularExpression(pattern: pattern, options: options)
    default: return nil
    }
  }

  /// An ordinary value to use in comparisons with other values that have the same `typeOrder`.
  package var comparable: Value {
    switch self {
    case .minKey, .maxKey, .binary: .null
    case .int32(let integer): .integer(integer)
    case .decimal128(let text): .double(Double(text) ?? .nan)
    case .timestamp(let seconds, let increment): .array([.integer(seconds), .integer(increment)])
    case .objectID(let text): .string(text)
    case .regularExpression(let pattern, let options): .array([.string(pattern), .string(options)])
    }
  }

  package var typeOrder: Value.TypeOrder {
    switch self {
    case .minKey: .minKey
    case .maxKey: .maxKey
    case .int32, .decimal128: .number
    case .timestamp: .bsonTimestamp
    case .binary: .binary
    case .objectID: .objectID
    case .regularExpression: .regularExpression
    }
  }
}

extension Value {
  /// The Enterprise type that the map represents, or `nil` for other values.
  package var bson: BSONValue? {
    guard case .map(let fields) = self, fields.count == 1 else { return nil }
    return BSONValue(fields)
  }

  /// The value to use in comparisons with other values that have the same `typeOrder`. For an
  /// Enterprise type, it is the content of the map.
  package var comparable: Value {
    guard case .map(let fields) = self, let bson = bson else { return self }
    if bson == .binary { return fields["__binary__"] ?? .null }
    return bson.comparable
  }
}
