import FirestoreModel

/// The fields of an index, by which its entries are sorted. Entries with equal fields are sorted by
/// document name.
struct IndexDefinition: Hashable {
  enum Mode: Hashable {
    case ascending, descending
    /// An entry for each distinct element of an array, in ascending order.
    case contains
  }

  struct Field: Hashable {
    let path: FieldPath
    let mode: Mode
  }

  var fields: [Field] = []
  var isNameDescending = false

  /// The index without fields, which is sorted by document name only.
  static let names = IndexDefinition()

  static func single(_ path: FieldPath, _ mode: Mode) -> IndexDefinition {
    IndexDefinition(fields: [Field(path: path, mode: mode)])
  }

  /// Returns the keys of a document's entries.
  ///
  /// There are none if the document lacks a field, and several if an array is indexed by its
  /// elements.
  func keys(of document: Document) -> [KeyBytes] {
    guard !fields.isEmpty else { return [KeyBytes()] }
    var keys = [KeyBytes()]
    for field in fields {
      guard let value = document.fields[field.path] else { return [] }
      switch field.mode {
      case .ascending:
        for index in keys.indices { keys[index].append(value) }
      case .descending:
        let part = KeyBytes(value)
        for index in keys.indices { keys[index].appendDescending(part) }
      case .contains:
        guard case .array(let elements) = value else { return [] }
        let parts = Set(elements.map { KeyBytes($0) })
        keys = keys.flatMap { key in
          parts.map { part in
            var longer = key
            longer.append(part)
            return longer
          }
        }
      }
    }
    return keys
  }
}
