import Core
import FirestoreModel
import Rules
import Store

extension RecordedRequest {
  /// The most bytes of a request's values. Those of a larger one aren't kept.
  static let mostBytes = 256 << 10
  /// The most decisions that are kept of a request, besides a denial.
  static let mostDecisions = 20

  /// Returns the approximate bytes of a request's values, or `nil` if they are more than can be kept.
  ///
  /// The time for it is bounded, because the store is locked meanwhile.
  ///
  /// - Parameters:
  ///   - contents: The documents that the request reads or writes.
  ///   - documents: The documents that the rules have read.
  static func size(
    of call: Call,
    by caller: RulesCaller,
    _ contents: [Fields],
    _ documents: RecordedDocuments,
    _ decisions: [RecordedDecision]
  ) -> Int? {
    var meter = SizeMeter(room: mostBytes)
    switch call {
    case .commit(let writes): for write in writes { meter.add(write) }
    case .get(let names): for name in names { meter.add(name.path) }
    case .list(let query, let parent): meter.add(query, below: parent)
    case .listen(.query(let query, parent: let parent)): meter.add(query, below: parent)
    case .listen(.documents(_, let names)): for name in names { meter.add(name.path) }
    }
    for (name, claim) in caller.claims { meter.add(name.string, claim) }
    for fields in contents { meter.add(fields) }
    for read in documents.reads {
      meter.add(read.path.reduce(64) { $0 + $1.utf8.count + 16 })
      if let fields = read.fields { meter.add(fields) }
    }
    for decision in decisions { meter.add(decision.evidence?.budget.size ?? 0) }
    return meter.room >= 0 ? mostBytes - meter.room : nil
  }
}

/// A meter of the bytes that values keep in memory. It stops when there is no room left.
private struct SizeMeter {
  private(set) var room: Int

  init(room: Int) { self.room = room }

  mutating func add(_ bytes: Int) { room -= bytes }

  mutating func add(_ fields: Fields) {
    for (name, value) in fields {
      guard room >= 0 else { return }
      room -= 32 + name.utf8.count
      add(value)
    }
  }

  mutating func add(_ value: Value) {
    guard room >= 0 else { return }
    room -= 32
    switch value {
    case .string(let text), .reference(let text): room -= text.utf8.count
    case .bytes(let bytes): room -= bytes.count
    case .array(let values):
      for value in values where room >= 0 { add(value) }
    case .map(let fields): add(fields)
    case .null, .boolean, .integer, .double, .timestamp, .geoPoint: break
    }
  }

  private mutating func add(_ path: FieldPath) {
    guard room >= 0 else { return }
    room -= path.segments.reduce(64) { $0 + $1.string.utf8.count + 16 }
  }

  mutating func add(_ path: ResourcePath) {
    guard room >= 0 else { return }
    room -= path.segments.reduce(64) { $0 + $1.utf8.count + 16 }
  }

  mutating func add(_ write: Write) {
    guard room >= 0 else { return }
    add(write.name.path)
    switch write.operation {
    case .update(let document): add(document.fields)
    case .transform(_, let transforms): for transform in transforms { add(transform) }
    case .delete, .verify: break
    }
    for transform in write.updateTransforms { add(transform) }
    for path in write.updateMask?.fieldPaths ?? [] { add(path) }
  }

  private mutating func add(_ transform: FieldTransform) {
    add(transform.fieldPath)
    switch transform.operation {
    case .setToServerValue: break
    case .increment(let value), .maximum(let value), .minimum(let value): add(value)
    case .appendMissingElements(let values), .removeAllFromArray(let values):
      for value in values where room >= 0 { add(value) }
    }
  }

  mutating func add(_ query: StructuredQuery, below parent: ResourceName) {
    add(parent.path)
    room -= 256
    for field in query.select?.fields ?? [] { add(field.fieldPath) }
    for order in query.orderBy { add(order.field.fieldPath) }
    for cursor in [query.startAt, query.endAt] {
      for value in cursor?.values ?? [] where room >= 0 { add(value) }
    }
    if let search = query.findNearest { add(search.queryVector) }
    if let filter = query.filter { add(filter) }
  }

  private mutating func add(_ filter: StructuredQuery.Filter) {
    guard room >= 0 else { return }
    room -= 64
    switch filter {
    case .composite(_, let filters): for filter in filters { add(filter) }
    case .unary(let path, _): add(path)
    case .field(let path, _, let value):
      add(path)
      add(value)
    }
  }

  mutating func add(_ name: String, _ json: JSONValue) {
    guard room >= 0 else { return }
    room -= 32 + name.utf8.count
    switch json {
    case .string(let text): room -= text.utf8.count
    case .array(let values): for value in values { add("", value) }
    case .object(let members): for (name, value) in members { add(name.string, value) }
    case .null, .boolean, .integer, .number: break
    }
  }
}
