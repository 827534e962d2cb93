package import Core
package import FirestoreModel

/// A map, by the keys' bytes. A document's fields become values only when they are read.
package enum RulesMap: Sendable {
  case values([ByteKey: RulesValue])
  case fields(Fields)

  package subscript(key: ByteKey) -> RulesValue? {
    switch self {
    case .values(let values): values[key]
    case .fields(let fields): fields[key].map(RulesValue.init)
    }
  }

  package var count: Int {
    switch self {
    case .values(let values): values.count
    case .fields(let fields): fields.count
    }
  }

  package func contains(_ key: ByteKey) -> Bool {
    switch self {
    case .values(let values): values.keys.contains(key)
    case .fields(let fields): fields.keys.contains(key)
    }
  }

  /// The keys in no particular order.
  var keys: [ByteKey] {
    switch self {
    case .values(let values): Array(values.keys)
    case .fields(let fields): Array(fields.keys)
    }
  }

  /// The keys in the order of their bytes, as `keys()` and `values()` list them.
  var sortedKeys: [ByteKey] { keys.sorted() }

  /// All members as values.
  package var values: [ByteKey: RulesValue] {
    switch self {
    case .values(let values): values
    case .fields(let fields): fields.mapValues(RulesValue.init)
    }
  }
}
