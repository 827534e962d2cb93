import FirestoreModel

/// The order of an index's entries: by fields one after the other, then by document name.
struct IndexDefinition: Hashable {
  enum Mode: Hashable {
    case ascending, descending
    /// An entry for each distinct element of an array.
    case contains
  }

  struct Field: Hashable {
    let path: FieldPath
    let mode: Mode
  }

  var fields: [Field] = []
  var isNameDescending = false

  /// The index by document name alone.
  static let names = IndexDefinition()

  static func single(_ path: FieldPath, _ mode: Mode) -> IndexDefinition {
    IndexDefinition(fields: [Field(path: path, mode: mode)])
  }

  /// Returns a document's keys: none if it lacks a field, several if an array is indexed by
  /// element.
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
