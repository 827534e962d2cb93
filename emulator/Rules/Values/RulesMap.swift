package import Core
package import FirestoreModel

/// A map, by the keys' bytes. A document's fields become values only when they are read.
package enum RulesMap: Sendable {
  case values([ByteKey: RulesValue])
  case fields(Fields)
  /// The members that a query requires. Whether the map has further ones is unknown.
  case partial([ByteKey: RulesValue])

  package subscript(key: ByteKey) -> RulesValue? {
    switch self {
    case .values(let values), .partial(let values): values[key]
    case .fields(let fields): fields[key].map(RulesValue.init)
    }
  }

  package var count: Int {
    switch self {
    case .values(let values), .partial(let values): values.count
    case .fields(let fields): fields.count
    }
  }

  package func contains(_ key: ByteKey) -> Bool {
    switch self {
    case .values(let values), .partial(let values): values.keys.contains(key)
    case .fields(let fields): fields.keys.contains(key)
    }
  }

  var isPartial: Bool { if case .partial = self { true } else { false } }

  /// Checks that all members are known.
  ///
  /// - Throws: An error if the map may have further members.
  func requireAll() throws(EvaluationError) { if isPartial { throw .openMembers } }

  /// The keys in no particular order.
  var keys: [ByteKey] {
    switch self {
    case .values(let values), .partial(let values): Array(values.keys)
    case .fields(let fields): Array(fields.keys)
    }
  }

  /// The keys in the order of their bytes, as `keys()` and `values()` list them.
  var sortedKeys: [ByteKey] { keys.sorted() }

  /// All members as values.
  package var values: [ByteKey: RulesValue] {
    switch self {
    case .values(let values), .partial(let values): values
    case .fields(let fields): fields.mapValues(RulesValue.init)
    }
  }
}
