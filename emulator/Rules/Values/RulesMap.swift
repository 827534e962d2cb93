package import Core
package import FirestoreModel

/// A map, by the keys' bytes. A document's fields become values only when they are read.
package enum RulesMap: Sendable {
  case values([ByteKey: RulesValue])
  case fields(Fields)
  /// Members that are made when they are read.
  case members(any RulesMembers)
  /// The members that a query requires. Whether the map has further ones is unknown.
  case partial([ByteKey: RulesValue])

  package subscript(key: ByteKey) -> RulesValue? {
    switch self {
    case .values(let values), .partial(let values): values[key]
    case .fields(let fields): fields[key].map(RulesValue.init)
    case .members(let members): members[key]
    }
  }

  package var count: Int {
    switch self {
    case .values(let values), .partial(let values): values.count
    case .fields(let fields): fields.count
    case .members(let members): members.keys.count
    }
  }

  package func contains(_ key: ByteKey) -> Bool {
    switch self {
    case .values(let values), .partial(let values): values.keys.contains(key)
    case .fields(let fields): fields.keys.contains(key)
    case .members(let members): members[key] != nil
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
    case .members(let members): members.keys
    }
  }

  /// The keys in the order of their bytes, as `keys()` and `values()` list them.
  var sortedKeys: [ByteKey] { keys.sorted() }

  /// The keys in the order in which people read them: sorted, or the members' own order.
  var shownKeys: [ByteKey] {
    if case .members(let members) = self { members.keys } else { sortedKeys }
  }

  /// All members as values.
  package var values: [ByteKey: RulesValue] {
    switch self {
    case .values(let values), .partial(let values): values
    case .fields(let fields): fields.mapValues(RulesValue.init)
    case .members(let members):
      Dictionary(uniqueKeysWithValues: members.keys.map { ($0, members[$0] ?? .null) })
    }
  }
}

/// A map whose members are made when they are read, because most rules read few of them.
package protocol RulesMembers: AnyObject, Sendable {
  /// Returns the member with a key, or `nil` if there is none.
  subscript(key: ByteKey) -> RulesValue? { get }

  /// The keys of all members, each once.
  var keys: [ByteKey] { get }
}
