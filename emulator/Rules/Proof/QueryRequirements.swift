import Core
import FirestoreModel

/// The requirements of documents in an alternative of a query's filter.
struct QueryRequirements {
  private var fields: [FieldPath: FieldRequirement] = [:]

  /// - Parameter hasAncestor: A Boolean value that indicates whether the documents are all those
  ///   below another document, which is a condition on their names.
  init(_ alternative: FilterAlternative, hasAncestor: Bool) {
    if hasAncestor { fields[.documentName, default: .init()].restrict() }
    for condition in alternative.conditions {
      switch condition {
      case .field(let path, let op, let operand): fields[path, default: .init()].add(op, operand)
      case .unary(let path, let op): fields[path, default: .init()].add(op)
      case .composite: break
      }
    }
  }

  /// The path of the only document that the query can find, if the alternative names it.
  var documentName: ResourcePath? {
    guard case .reference(let name)? = fields[.documentName]?.requiredValue else { return nil }
    return try? DocumentName(name).path
  }

  /// The variable `resource`, which stands for all documents that the query can find.
  var resource: RulesValue {
    var data: [ByteKey: RulesValue] = [:]
    // Outer fields come first, so that the members of a map are added to it.
    let paths = fields.keys.filter { $0 != .documentName }
    for path in paths.sorted(by: { $0.segments.count < $1.segments.count }) {
      if let value = fields[path]?.value { data.set(value, at: path.segments[...]) }
    }
    var members: [ByteKey: RulesValue] = ["data": .map(.partial(data))]
    members["__name__"] = fields[.documentName]?.value
    return .map(.partial(members))
  }
}

extension [ByteKey: RulesValue] {
  /// Sets a member of nested maps. A value on the way that isn't a map is replaced by one.
  ///
  /// - Parameter path: The keys, at least one. Firestore bounds their number.
  fileprivate mutating func set(_ value: RulesValue, at path: ArraySlice<ByteKey>) {
    guard let key = path.first else { return }
    let rest = path.dropFirst()
    if rest.isEmpty {
      self[key] = value
      return
    }
    var (members, isPartial): ([ByteKey: RulesValue], Bool) = ([:], true)
    if case .map(let map)? = self[key] { (members, isPartial) = (map.values, map.isPartial) }
    self[key] = nil
    members.set(value, at: rest)
    self[key] = .map(isPartial ? .partial(members) : .values(members))
  }
}
