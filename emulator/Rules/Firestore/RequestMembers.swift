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
  /// The path of the document or collection, or `nil` if there is more than one.
  let path: RulesPath?
  let kind: Kind

  init(
    auth: RulesValue,
    method: RulesMethod,
    time: Timestamp,
    inTransaction: Bool,
    path: RulesPath?,
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
    var keys: [ByteKey] = ["auth", "method", "time", "headers", "inTransaction"]
    if path != nil { keys.append("path") }
    switch kind {
    case .get: keys.append("fields")
    case .commit: keys += ["resource", "transforms", "writeFields", "readFields"]
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
    case "path": path.map { .path($0) }
    default: member(key)
    }
  }

  private var isCommit: Bool { if case .commit = kind { true } else { false } }

  private func member(_ key: ByteKey) -> RulesValue? {
    switch (kind, key) {
    case (.get, "fields"): .null
    case (.commit(_, let after), "resource"): after
    case (.commit(let writes, _), "transforms"):
      Self.names(writes.flatMap(\.transformedPaths))
    case (.commit(let writes, _), "writeFields"):
      Self.names(
        writes.flatMap { $0.updateMask?.fieldPaths ?? [] } + writes.flatMap(\.transformedPaths)
      )
    case (.commit, "readFields"): .null
    case (.list(let query, let parent, let parentPath), "query"):
      .map(.values(query.variable(below: parent.segments.isEmpty ? nil : parentPath)))
    case (.list(let query, _, _), "fields"): query.selectedFields
    default: nil
    }
  }

  /// Returns field paths as a list of strings, or null if there are none.
  private static func names(_ paths: [FieldPath]) -> RulesValue {
    paths.isEmpty ? .null : .list(paths.map { .string($0.unquoted) })
  }
}

extension Write {
  /// The fields that transforms change.
  fileprivate var transformedPaths: [FieldPath] {
    let transforms =
      if case .transform(_, let transforms) = operation { transforms } else { updateTransforms }
    return transforms.map(\.fieldPath)
  }
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
    guard let fields = select?.fields else { return .null }
    return .list(fields.map { .string($0.fieldPath.unquoted) })
  }
}
