import Core
import FirestoreModel

/// The variable `request` of Firestore's rules.
final class RequestMembers: RulesMembers {
  /// The members that only some requests have.
  enum Kind: Sendable {
    case get
    /// The writes to one document, and the variable of the document after them.
    case commit([Write], after: RulesValue)
    /// A query, and the document or root below which it selects.
    case list(StructuredQuery, parent: ResourcePath, parentPath: RulesPath)
  }

  let auth: RulesValue
  let method: RulesMethod
  let time: Timestamp
  let inTransaction: Bool
  /// The path of the document or collection. It is a constraint if there are several collections.
  let path: RulesValue
  let kind: Kind

  init(
    auth: RulesValue,
    method: RulesMethod,
    time: Timestamp,
    inTransaction: Bool,
    path: RulesValue,
    kind: Kind
  ) {
    self.auth = auth
    self.method = method
    self.time = time
    self.inTransaction = inTransaction
    self.path = path
    self.kind = kind
  }

  var keys: [ByteKey] {
    var keys: [ByteKey] = ["auth", "method", "time", "headers", "inTransaction", "path"]
    switch kind {
    case .get: keys.append("fields")
    case .commit(let writes, _):
      keys += ["resource", "transforms", "writeFields", "readFields"]
      if writes.isCreation { keys.append("autoId") }
    case .list: keys += ["query", "fields"]
    }
    return keys
  }

  subscript(key: ByteKey) -> RulesValue? {
    switch key {
    case "auth": auth
    case "method": .string(method.rawValue)
    case "time": .timestamp(time)
    case "headers": .map(.values([:]))
    case "inTransaction": .boolean(isCommit || inTransaction)
    case "path": path
    default: member(key)
    }
  }

  private var isCommit: Bool { if case .commit = kind { true } else { false } }

  private func member(_ key: ByteKey) -> RulesValue? {
    switch (kind, key) {
    case (.get, "fields"): .null
    case (.commit(_, let after), "resource"): after
    case (.commit(let writes, _), "transforms"): writes.transforms
    case (.commit(let writes, _), "writeFields"): writes.writeFields
    case (.commit(let writes, _), "autoId"): writes.isCreation ? .boolean(false) : nil
    case (.commit, "readFields"): .null
    case (.list(let query, let parent, let parentPath), "query"):
      .map(.values(query.variable(below: parent.segments.isEmpty ? nil : parentPath)))
    case (.list(let query, _, _), "fields"): query.selectedFields
    default: nil
    }
  }
}

extension Write {
  /// The fields that transforms change.
  fileprivate var transformedPaths: [FieldPath] {
    let transforms =
      if case .transform(_, let transforms) = operation { transforms } else { updateTransforms }
    return transforms.map(\.fieldPath)
  }

  /// The fields that the write's mask names, or `nil` if the write may change all fields.
  fileprivate var maskedPaths: [FieldPath]? {
    if case .transform = operation { [] } else { updateMask?.fieldPaths }
  }
}

extension [Write] {
  fileprivate var isCreation: Bool { first?.currentDocument == .exists(false) }

  /// The member `transforms`: the fields that transforms change, or null if there are none.
  fileprivate var transforms: RulesValue {
    let paths = flatMap(\.transformedPaths)
    return paths.isEmpty ? .null : paths.names
  }

  /// The member `writeFields`: the fields that the writes may change, or null for all fields.
  fileprivate var writeFields: RulesValue {
    let transformed = flatMap(\.transformedPaths)
    let isMasked = contains { $0.updateMask != nil } && allSatisfy { $0.maskedPaths != nil }
    guard isMasked || !transformed.isEmpty else { return .null }
    let masked = isMasked ? FieldMask(flatMap { $0.maskedPaths ?? [] }).outermost.fieldPaths : []
    return (transformed + masked).names
  }
}

extension [FieldPath] {
  /// The paths as a list of strings, which have no backticks.
  var names: RulesValue { .list(map { .string($0.unquoted) }) }
}

extension StructuredQuery {
  /// Returns the members of the variable `request.query`.
  ///
  /// - Parameter parent: The path of the document below which the query selects, or `nil` for the
  ///   root.
  fileprivate func variable(below parent: RulesPath?) -> [ByteKey: RulesValue] {
    let selector = from.first
    let isGroup = selector?.allDescendants == true
    var order: [ByteKey: RulesValue] = [:]
    for entry in orderBy {
      order[ByteKey(entry.field.fieldPath.unquoted)] = .string(
        entry.direction == .descending ? "DESC" : "ASC"
      )
    }
    return [
      "limit": limit.map { .integer(Int64($0)) } ?? .null,
      "offset": .integer(Int64(offset)),
      "orderBy": .map(.values(order)),
      "kind": selector?.collectionId.map { .string($0) } ?? .null,
      isGroup ? "ancestor" : "parent": parent.map { .path($0) } ?? .null,
      "allDescendants": .boolean(isGroup),
      "distinct": .boolean(false),
      "selectOnlyKeys": .boolean(false),
      "groupBy": .map(.values([:])),
    ]
  }

  /// The names of the selected fields, or null if the query returns whole documents.
  fileprivate var selectedFields: RulesValue {
    guard let select else { return .null }
    return (select.fields ?? []).map(\.fieldPath).filter { $0 != .documentName }.names
  }
}
