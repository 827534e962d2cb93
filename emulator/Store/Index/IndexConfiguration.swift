package import Core
import FirestoreModel

/// The indexes a project has declared, `firestore.indexes.json`: with them, a query that production
/// would refuse for want of one is refused here too. Its TTL policies stand there as well.
///
/// Source: the file format of the Firebase CLI (firebase.google.com/docs/reference/firestore/indexes).
package struct IndexConfiguration: Sendable {
  enum Scope: String, Codable {
    case collection = "COLLECTION"
    case group = "COLLECTION_GROUP"
  }

  enum Direction: String, Codable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
  }

  struct Field: Codable, Hashable {
    var fieldPath: FieldPath
    var order: Direction?
    var arrayConfig: String?
    var vectorConfig: VectorConfiguration?
  }

  struct VectorConfiguration: Codable, Hashable {
    struct Flat: Codable, Hashable {}

    var dimension: Int
    /// The only kind there is; the Firebase CLI asks for it.
    var flat: Flat? = Flat()
  }

  private struct Index: Codable {
    var collectionGroup: String
    var queryScope: Scope?
    var fields: [Field]
  }

  private struct Override: Codable {
    struct Index: Codable {
      var order: Direction?
      var arrayConfig: String?
      var queryScope: Scope?
    }

    var collectionGroup: String
    var fieldPath: FieldPath
    var ttl: Bool?
    var indexes: [Index]
  }

  private struct File: Codable {
    var indexes: [Index]?
    var fieldOverrides: [Override]?
  }

  private let indexes: [Index]
  private let overrides: [Override]
  package let expiryPolicies: [ExpiryPolicy]

  /// - Parameters:
  ///   - json: the file's contents.
  ///   - name: what to call it in errors.
  /// - Throws: `INVALID_ARGUMENT` naming what is wrong.
  package init(_ json: Data, name: String) throws(StatusError) {
    let file = try JSON.decode(File.self, from: json, what: name)
    indexes = file.indexes ?? []
    overrides = file.fieldOverrides ?? []
    expiryPolicies = overrides.filter { $0.ttl == true }.map {
      ExpiryPolicy(collectionGroup: $0.collectionGroup, field: $0.fieldPath)
    }
    let groups = Dictionary(grouping: expiryPolicies, by: \.collectionGroup)
    if let (group, policies) = groups.filter({ $0.value.count > 1 }).min(by: { $0.key < $1.key }) {
      let fields = policies.map(\.field.description).joined(separator: ", ")
      throw StatusError(
        .invalidArgument,
        "\(name): a collection group has at most one field with ttl; \(group) has \(fields)"
      )
    }
  }

  // MARK: Checking

  /// - Throws: `FAILED_PRECONDITION` with the definition to add, if production has no index to
  ///   answer one of a query's alternatives.
  func check(_ query: PreparedQuery) throws(StatusError) {
    guard let collection = query.structured.from.first?.collectionId, !collection.isEmpty else {
      return
    }
    let scope: Scope =
      if case .collection = query.target.selection { .collection } else { .group }
    for alternative in query.alternatives {
      let needed = Requirement(alternative, query)
      if !isMet(needed, collection, scope) {
        throw missing(needed, query.database, collection, scope)
      }
    }
  }

  /// What an index must have to answer an alternative: fixed fields in any order, then an order.
  private struct Requirement {
    var fixed: Set<Field>
    var ordered: [Field]
    /// The last direction, which the name's follows if nothing else is said.
    var isNameDescending: Bool
    var vector: Field?

    init(_ alternative: Conjunction, _ query: PreparedQuery) {
      fixed = Set(
        alternative.fixedFields.map { Field(fieldPath: $0.path, order: .ascending) }
      )
      if let path = alternative.contained?.path {
        fixed.insert(Field(fieldPath: path, arrayConfig: "CONTAINS"))
      }
      ordered = query.order.fields
        .filter { alternative.requiredValue(of: $0.path) == nil }
        .map { Field(fieldPath: $0.path, order: $0.isDescending ? .descending : .ascending) }
      isNameDescending = query.order.isNameDescending
      // What is summed up is read from the index, too.
      for path in query.requiredFields
      where !(fixed.contains { $0.fieldPath == path } || ordered.contains { $0.fieldPath == path })
      {
        ordered.append(Field(fieldPath: path, order: isNameDescending ? .descending : .ascending))
      }
      vector = query.structured.findNearest.map {
        let dimension = $0.queryVector.mapValue?["value"]?.arrayValue?.count ?? 0
        return Field(fieldPath: $0.vectorField, vectorConfig: .init(dimension: dimension))
      }
    }

    /// The name's place in an index that has to say it.
    var name: Field {
      Field(fieldPath: .documentName, order: isNameDescending ? .descending : .ascending)
    }

    /// A single field's index has the name in the direction of the field.
    var hasPlainNameOrder: Bool {
      isNameDescending == (ordered.last?.order == .descending)
    }
  }

  private func isMet(_ needed: Requirement, _ collection: String, _ scope: Scope) -> Bool {
    let isSingle =
      needed.vector == nil
      && needed.ordered.count + (needed.ordered.isEmpty ? 0 : needed.fixed.count) <= 1
    // Of fixed fields there is an index in either direction, and so in either order of names.
    if isSingle && (needed.ordered.isEmpty || needed.hasPlainNameOrder) {
      // Indexes on single fields are there unless an override says otherwise, and those of fixed
      // fields can be merged.
      return needed.fixed.union(needed.ordered).allSatisfy { hasSingle($0, collection, scope) }
    }
    // Indexes that end in the same order can be merged to cover all fixed fields.
    var covered: Set<Field> = []
    var isFound = false
    for index in indexes
    where index.collectionGroup == collection && (index.queryScope ?? .collection) == scope {
      guard let fixed = fixedFields(of: index, endingIn: needed), fixed.isSubset(of: needed.fixed)
      else { continue }
      isFound = true
      covered.formUnion(fixed)
    }
    return isFound && covered == needed.fixed
  }

  /// The fields of an index before those that give a required order, read either way; nil if it
  /// doesn't give it.
  private func fixedFields(of index: Index, endingIn needed: Requirement) -> Set<Field>? {
    var fields = index.fields
    if let vector = needed.vector {
      guard fields.popLast() == vector else { return nil }
    }
    var isNameDescending: Bool?
    if fields.last?.fieldPath == .documentName {
      isNameDescending = fields.removeLast().order == .descending
    }
    guard fields.count >= needed.ordered.count else { return nil }
    let end = Array(fields.suffix(needed.ordered.count))
    let nameDescends = isNameDescending ?? (fields.last?.order == .descending)
    let reversed = needed.ordered.map { field in
      var field = field
      field.order = field.order == .descending ? .ascending : .descending
      return field
    }
    let fits =
      (end == needed.ordered && nameDescends == needed.isNameDescending)
      || (end == reversed && nameDescends != needed.isNameDescending)
    // Where nothing is ordered, the index may have its fixed fields in either direction.
    guard fits || needed.ordered.isEmpty else { return nil }
    return Set(
      fields.dropLast(needed.ordered.count).map { field in
        field.arrayConfig == nil
          ? Field(fieldPath: field.fieldPath, order: .ascending)
          : Field(fieldPath: field.fieldPath, arrayConfig: "CONTAINS")
      }
    )
  }

  private func hasSingle(_ field: Field, _ collection: String, _ scope: Scope) -> Bool {
    existing(collection, field.fieldPath).contains { index in
      (index.queryScope ?? .collection) == scope
        && (field.arrayConfig == nil ? index.order != nil : index.arrayConfig != nil)
    }
  }

  /// The indexes a single field has: those of its override, else of collections, either way, and
  /// none of groups.
  private func existing(_ collection: String, _ path: FieldPath) -> [Override.Index] {
    override(collection, path)?.indexes ?? [
      .init(order: .ascending, queryScope: .collection),
      .init(order: .descending, queryScope: .collection),
      .init(arrayConfig: "CONTAINS", queryScope: .collection),
    ]
  }

  private func override(_ collection: String, _ path: FieldPath) -> Override? {
    overrides.first { $0.collectionGroup == collection && $0.fieldPath == path }
  }

  private func missing(
    _ needed: Requirement,
    _ database: DatabaseName,
    _ collection: String,
    _ scope: Scope
  ) -> StatusError {
    let fields =
      needed.fixed.sorted { $0.fieldPath < $1.fieldPath } + needed.ordered
      + (needed.ordered.isEmpty || needed.hasPlainNameOrder ? [] : [needed.name])
      + (needed.vector.map { [$0] } ?? [])
    let definition: String?
    let list: String
    if fields.count == 1, let field = fields.first, needed.vector == nil {
      list = "fieldOverrides"
      let index = Override.Index(
        order: field.arrayConfig == nil ? field.order : nil,
        arrayConfig: field.arrayConfig,
        queryScope: scope
      )
      // An override stands instead of what there is without it, so it has to repeat that.
      definition = Self.text(
        Override(
          collectionGroup: collection,
          fieldPath: field.fieldPath,
          ttl: override(collection, field.fieldPath)?.ttl,
          indexes: existing(collection, field.fieldPath) + [index]
        )
      )
    } else {
      list = "indexes"
      definition = Self.text(
        Index(collectionGroup: collection, queryScope: scope, fields: fields)
      )
    }
    // In production a vector's index is created by a command.
    let link =
      needed.vector == nil
      ? " You can create it here: \(Self.consoleLink(database, collection, scope, fields))" : ""
    return StatusError(
      .failedPrecondition,
      "The query requires an index.\(link) For the emulator, add to \(list) in "
        + "firestore.indexes.json: \(definition ?? "")"
    )
  }

  private static func text(_ definition: some Encodable) -> String? {
    (try? JSON.encode(definition)).map { String(decoding: $0, as: UTF8.self) }
  }
}
