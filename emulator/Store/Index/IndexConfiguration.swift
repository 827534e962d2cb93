package import Core
import FirestoreModel

/// The indexes and TTL policies that a project declares in `firestore.indexes.json`.
///
/// If there is a configuration, the emulator refuses a query for which production would have no
/// index. Source: the file format of the Firebase CLI
/// (firebase.google.com/docs/reference/firestore/indexes).
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
    /// The kind of vector index. There is only one, but the Firebase CLI requires this field.
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

  /// Reads the configuration from its file.
  ///
  /// - Parameters:
  ///   - json: The file's contents.
  ///   - name: The file's name in errors.
  /// - Throws: `INVALID_ARGUMENT` if the file is invalid.
  package init(_ json: Data, name: String) throws(StatusError) {
    let file = try JSON.decode(
      File.self,
      from: try JSON.parseSettings(json, what: name),
      what: name
    )
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
        "\(name): only one field of a collection group can have ttl, but \(group) has \(fields)"
      )
    }
  }

  // MARK: Checking

  /// Checks that production would have an index for each of a query's alternatives.
  ///
  /// - Throws: `FAILED_PRECONDITION` with the definition of the missing index.
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

  /// The index that an alternative needs.
  ///
  /// It begins with the fields that the alternative limits to one value, in any order. The fields
  /// by which the result is sorted follow, in their order.
  private struct Requirement {
    var fixed: Set<Field>
    var ordered: [Field]
    /// A Boolean value that indicates whether document names are in descending order. By default
    /// they have the direction of the last field.
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
      // The index must also contain the aggregated fields.
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

    /// The document name as a field of the index, for an index that has to state the direction of
    /// names.
    var name: Field {
      Field(fieldPath: .documentName, order: isNameDescending ? .descending : .ascending)
    }

    /// A Boolean value that indicates whether names have the last field's direction, as in a
    /// single-field index.
    var hasPlainNameOrder: Bool {
      isNameDescending == (ordered.last?.order == .descending)
    }
  }

  private func isMet(_ needed: Requirement, _ collection: String, _ scope: Scope) -> Bool {
    let isSingle =
      needed.vector == nil
      && needed.ordered.count + (needed.ordered.isEmpty ? 0 : needed.fixed.count) <= 1
    // A fixed field has an index in both directions, so names may have either direction.
    if isSingle && (needed.ordered.isEmpty || needed.hasPlainNameOrder) {
      // A single-field index exists unless an override removes it. The indexes of several fixed
      // fields can be merged.
      return needed.fixed.union(needed.ordered).allSatisfy { hasSingle($0, collection, scope) }
    }
    // Indexes that end with the required order can be merged to cover all fixed fields.
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

  /// Returns the fields of an index that precede the fields of the required order, or `nil` if the
  /// index doesn't end with that order.
  ///
  /// The index may be read in either direction.
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
    // If no order is required, the fixed fields may have either direction.
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

  /// Returns the single-field indexes of a field: those of its override, or the default ones.
  ///
  /// By default, a field has an index for collections in each direction and one of array elements.
  /// It has none for collection groups.
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
      // An override replaces the default indexes, so it has to repeat them.
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
    // In production, a command creates a vector index, so there is no link.
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
